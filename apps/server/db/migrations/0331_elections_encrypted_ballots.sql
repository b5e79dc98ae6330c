-- Elections choose their ballots when they are added: as the registry or another voting system holds them, or encrypted (decisions 226 and 227). Expands `election`.

alter table election add column ballots text not null default 'plain' check (ballots in ('plain', 'encrypted'));
-- When the encrypted ballot was set up: from then on its questions, keys and credentials stay as they are.
alter table election add column set_up_at timestamptz;
alter table election add check (ballots = 'encrypted' or set_up_at is null);

-- Votes on encrypted ballots are those of the roll, whoever writes them.
create function votes_are_of_roll() returns trigger language plpgsql as $$
begin
  if exists (select from election e where e.election_id = new.election_id and e.ballots = 'encrypted')
    and not exists (select from election_roll r where r.election_id = new.election_id and r.account_name = new.account_name and r.votes = new.votes) then
    raise exception 'the roll of election % does not give % % votes', new.election_id, new.account_name, new.votes;
  end if;
  return new;
end $$;
create trigger b_votes_are_of_roll before insert or update on election_vote for each row execute function votes_are_of_roll();

-- The roll of an election whose ballot is set up stays as the credentials were made for it.
create function roll_stays() returns trigger language plpgsql as $$
begin
  if exists (select from election e where e.election_id = coalesce(new.election_id, old.election_id) and e.set_up_at is not null) then
    raise exception 'the ballot of election % is set up: its roll stays', coalesce(new.election_id, old.election_id);
  end if;
  return coalesce(new, old);
end $$;
create trigger b_roll_stays before insert or update or delete on election_roll for each row execute function roll_stays();
