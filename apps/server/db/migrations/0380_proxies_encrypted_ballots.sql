-- Proxies vote on encrypted ballots (decision 279). They sign in, and their appointments are found by the address of their login.
create index on election_proxy (lower(email));
-- When the credential authority was asked for the codes of accounts that appointed proxies: once, as their appointment has closed.
alter table encrypted_ballot add column proxies_asked_at timestamptz;
-- A vote on encrypted ballots is cast by the proxy where one stands, and otherwise by the contacts.
create function votes_are_of_proxy() returns trigger language plpgsql as $$
declare
  appointed boolean;
begin
  if exists (select from election e where e.election_id = new.election_id and e.ballots = 'encrypted') then
    appointed := exists (select from election_proxy p where p.election_id = new.election_id and p.account_name = new.account_name and p.state in ('active', 'used'));
    if appointed <> (new.cast_as = 'proxy') then
      raise exception 'in election % the votes of % are those of %', new.election_id, new.account_name, case when appointed then 'its proxy' else 'its contacts' end;
    end if;
  end if;
  return new;
end $$;
create trigger b_votes_are_of_proxy before insert on election_vote for each row execute function votes_are_of_proxy();
-- An appointment that has voted stays, whatever would take it back.
create function proxy_of_vote_stays() returns trigger language plpgsql as $$
begin
  if new.state in ('revoked', 'voided') and exists (select from election_vote v join election e using (election_id)
    where v.election_id = new.election_id and v.account_name = new.account_name and v.generation = e.generation and v.cast_as = 'proxy' and e.ballots = 'encrypted') then
    raise exception 'the proxy of % has voted in election %', new.account_name, new.election_id;
  end if;
  return new;
end $$;
create trigger b_proxy_of_vote_stays before update on election_proxy for each row execute function proxy_of_vote_stays();
