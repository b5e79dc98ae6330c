-- The ballot box: ballots of votes that are not over lie in a schema of their own. On a server it belongs to a role of its own, which sees no voter; the portal's role
-- sees no ballot, and has the functions below only.

create schema ballots;

-- A ballot. It names neither a voter nor a time.
create table ballots.ballot (
  receipt     text primary key check (receipt ~ '^[0-9A-HJKMNP-TV-Z]{16}$'),
  election_id bigint not null,
  generation  integer not null check (generation >= 1),
  votes       integer not null check (votes between 1 and 64),
  choices     integer[] not null
);
create index on ballots.ballot (election_id, generation);

-- Whether every window of a published election is over, by the clock of the database.
create function ballots.is_over(election bigint) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from public.election e where e.election_id = election and e.state = 'PUBLISHED')
    and not exists (select from public.election_window w where w.election_id = election and w.closes_at > now())
$$;

-- Puts a ballot in; false where its receipt is in use.
create function ballots.store(receipt text, election bigint, generation integer, votes integer, choices integer[]) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if coalesce(current_setting('portal.activity_id', true), '') = '' then
    raise exception 'ballots are cast within an activity only';
  end if;
  insert into ballots.ballot as b values ($1, $2, $3, $4, $5) on conflict do nothing;
  return found;
end $$;

-- Whether there is a ballot with this receipt, which only its voter knows.
create function ballots.holds(receipt text, election bigint, generation integer, votes integer) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from ballots.ballot b where b.receipt = $1 and b.election_id = $2 and b.generation = $3 and b.votes = $4)
$$;

-- How many ballots of a round are in the box.
create function ballots.count_of(election bigint, generation integer) returns integer
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select count(*)::integer from ballots.ballot b where b.election_id = $1 and b.generation = $2
$$;

-- The ballots of a round in the order of their receipts, once the vote is over; none before.
create function ballots.published(election bigint, generation integer) returns table (receipt text, votes integer, choices integer[])
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select b.receipt, b.votes, b.choices from ballots.ballot b where b.election_id = $1 and b.generation = $2 and ballots.is_over($1) order by b.receipt
$$;

-- Takes all ballots of an election out of the box, once the vote is over.
create function ballots.empty_box(election bigint) returns table (receipt text, election_id bigint, generation integer, votes integer, choices integer[])
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  if coalesce(current_setting('portal.activity_id', true), '') = '' then
    raise exception 'the box is emptied within an activity only';
  end if;
  if not ballots.is_over(election) then
    raise exception 'election % is not over', election;
  end if;
  return query delete from ballots.ballot b where b.election_id = election returning b.receipt, b.election_id, b.generation, b.votes, b.choices;
end $$;

revoke all on all functions in schema ballots from public;

-- Ballots of votes that run now. What is left are those that are published.
insert into ballots.ballot select b.receipt, b.election_id, b.generation, b.votes, b.choices from public.ballot b join public.election e using (election_id)
  where e.ballots_sorted_at is null;
alter table public.ballot disable trigger user;
delete from public.ballot b using public.election e where e.election_id = b.election_id and e.ballots_sorted_at is null;
alter table public.ballot enable trigger user;

-- The role that the box belongs to. Where the role of the portal can neither make it nor act as it, the box stays with the portal's (the desk says so).
do $$
declare
  portal text := current_user;
  is_super boolean := (select rolsuper from pg_roles where rolname = current_user);
begin
  if not exists (select from pg_roles where rolname = 'registry_ballots') then
    begin
      create role registry_ballots nologin;
    exception when duplicate_object or unique_violation then
      -- Another database of the same server made it at the same moment.
      null;
    end;
  end if;
  if not is_super then
    begin
      execute format('grant registry_ballots to %I', portal);
    exception when insufficient_privilege then
      -- An administrator may have granted it.
      null;
    end;
  end if;
  grant usage on schema public to registry_ballots;
  grant select on public.election, public.election_window to registry_ballots;
  alter schema ballots owner to registry_ballots;
  alter table ballots.ballot owner to registry_ballots;
  alter function ballots.is_over(bigint) owner to registry_ballots;
  alter function ballots.store(text, bigint, integer, integer, integer[]) owner to registry_ballots;
  alter function ballots.holds(text, bigint, integer, integer) owner to registry_ballots;
  alter function ballots.count_of(bigint, integer) owner to registry_ballots;
  alter function ballots.published(bigint, integer) owner to registry_ballots;
  alter function ballots.empty_box(bigint) owner to registry_ballots;
  execute format('grant usage on schema ballots to %I', portal);
  execute format('grant execute on all functions in schema ballots to %I', portal);
  if not is_super then
    begin
      execute format('revoke registry_ballots from %I', portal);
    exception when insufficient_privilege then
      raise notice 'Revoke registry_ballots from % as an administrator', portal;
    end;
  end if;
exception when insufficient_privilege then
  raise notice 'The ballot box stays with the role of the portal: %', sqlerrm;
end $$;
