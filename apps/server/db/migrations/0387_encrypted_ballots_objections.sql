-- Objections to the electoral roll of an election with encrypted ballots (decision 283). The roll is published when it is fixed; until a day or more before voting opens an account objects to its own entry.

-- An objection of an account to its entry on the roll.
create table roll_objection (
  roll_objection_id bigint generated always as identity primary key,
  election_id  bigint not null references election,
  account_name text not null references account,
  -- The number of votes; that the account isn't on the roll; its voting code.
  about        text not null check (about in ('votes', 'missing', 'code')),
  reason       text not null check (length(reason) between 1 and 1000),
  state        text not null default 'open' check (state in ('open', 'upheld', 'rejected', 'withdrawn')),
  made_by      uuid not null references contact,
  made_at      timestamptz not null,
  -- Votes of the entry when the objection was made; null where there was none.
  votes_then   integer check (votes_then between 1 and 64),
  decided_by   text references login,
  decided_at   timestamptz,
  -- Votes that the account was given; null where the decision left them.
  votes_given  integer check (votes_given between 1 and 64),
  answer       text not null default '' check (length(answer) <= 1000),
  check ((state in ('upheld', 'rejected')) = (decided_by is not null)),
  check ((state = 'open') = (decided_at is null)),
  check (votes_given is null or state = 'upheld'),
  check ((about = 'missing') = (votes_then is null))
);
create unique index roll_objection_open on roll_objection (election_id, account_name) where state = 'open';
create index on roll_objection (election_id, roll_objection_id);
create index on roll_objection (account_name);
create index on roll_objection (made_by);
create index on roll_objection (decided_by);
call keep_history('roll_objection');
call follow_life('roll_objection', 'state', 'open>rejected open>upheld open>withdrawn');

-- An archive that had no ballot yet and was replaced, as an objection was upheld: its identifier, and the hash of its setup, which mirrors may have.
create table replaced_archive (
  election_id bigint not null references election,
  hash        text not null check (hash ~ '^[0-9a-f]{64}$'),
  uuid        text not null check (uuid ~ '^[1-9A-HJ-NP-Za-km-z]{14}$'),
  roll_objection_id bigint not null references roll_objection,
  replaced_at timestamptz not null,
  primary key (election_id, hash)
);
create index on replaced_archive (roll_objection_id);
call keep_history('replaced_archive');
create trigger append_only before update or delete or truncate on replaced_archive for each statement execute function append_only();

-- An archive only grows. The setup of one that has nothing else goes where an upheld objection replaces it.
create function archive_is_replaced() returns trigger language plpgsql as $$
begin
  if not exists (select from replaced_archive r join roll_objection o using (roll_objection_id)
      where r.election_id = old.election_id and r.hash = old.hash and o.election_id = old.election_id and o.state = 'upheld')
    or exists (select from ballot_event b where b.election_id = old.election_id and b.kind <> 'Setup') then
    raise exception '% only grows: delete is refused', tg_table_name;
  end if;
  return old;
end $$;
drop trigger append_only on ballot_event;
create trigger append_only before update or truncate on ballot_event for each statement execute function append_only();
create trigger b_is_replaced before delete on ballot_event for each row execute function archive_is_replaced();
drop trigger append_only on noted_event;
create trigger append_only before update or truncate on noted_event for each statement execute function append_only();
create trigger b_is_replaced before delete on noted_event for each row execute function archive_is_replaced();

-- No ballot is cast over an objection that is open.
create function ballot_awaits_objections() returns trigger language plpgsql as $$
begin
  if new.kind = 'Ballot' and exists (select from roll_objection o where o.election_id = new.election_id and o.state = 'open') then
    raise exception 'an objection to the roll of election % is not decided', new.election_id;
  end if;
  return new;
end $$;
create trigger b_awaits_objections before insert on ballot_event for each row execute function ballot_awaits_objections();
