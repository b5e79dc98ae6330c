-- Votes are those of the roll, also with plain ballots once it is frozen: one that is written past the program is refused as well (decision 285). Expands.
create or replace function votes_are_of_roll() returns trigger language plpgsql as $$
begin
  if exists (select from election e where e.election_id = new.election_id and (e.ballots = 'encrypted' or (tg_op = 'INSERT' and e.roll_frozen_at is not null)))
    and not exists (select from election_roll r where r.election_id = new.election_id and r.account_name = new.account_name and r.votes = new.votes) then
    raise exception 'the roll of election % does not give % % votes', new.election_id, new.account_name, new.votes;
  end if;
  return new;
end $$;
