-- Holds and restrictions that registry staff set on accounts (decision 352).

-- A restraint of an account. Whether one is in force follows from the time, not from the clock that tells people of it.
create table account_restraint (
  account_restraint_id bigint generated always as identity primary key,
  account_name text not null references account,
  -- hold: nothing moves holdings into or out of the account. restrict: whois objects, routing and reverse DNS stay as they are, too.
  kind text not null check (kind in ('hold', 'restrict')),
  reason text not null check (reason in ('hijack', 'forgery', 'breach', 'contacts', 'order')),
  -- What the member reads.
  member_text text not null check (length(member_text) between 1 and 2000),
  set_by text not null references login,
  -- The second person; null for a hold that one person sets.
  confirmed_by text references login,
  set_at timestamptz not null,
  -- The activity that set it: what moved earlier is no violation.
  set_activity bigint not null,
  -- When it begins: when it was set, or after the notice.
  begins_at timestamptz not null check (begins_at >= set_at),
  -- When people were told that it began; at once for one without a notice, which is in force from its own row on.
  began_at timestamptz,
  -- Null: until registry staff lift it.
  ends_at timestamptz check (ends_at > begins_at),
  -- Lifted by a person, or over.
  ended_at timestamptz check (ended_at >= set_at),
  lifted_by text references login,
  lift_reason text not null default '' check (length(lift_reason) <= 2000),
  check (kind = 'restrict' or ends_at is not null),
  check (kind = 'hold' or confirmed_by is not null),
  check (lifted_by is null or ended_at is not null)
);
-- One of a kind at a time.
create unique index account_restraint_open on account_restraint (account_name, kind) where ended_at is null;
create index on account_restraint (account_name, account_restraint_id);
create index on account_restraint (set_by);
create index on account_restraint (confirmed_by);
create index on account_restraint (lifted_by);
call keep_history('account_restraint');

-- The restraint that an account is under at an instant: of both kinds the restriction, which stops more. `restricting`: only a restriction. The only place that decides it.
create function restraint_on(of_account text, at_time timestamptz, restricting boolean) returns setof account_restraint language sql stable as $$
  select * from account_restraint r
  where r.account_name = of_account and r.ended_at is null and (r.kind = 'restrict' or not restricting)
    and (r.began_at is not null or r.begins_at <= at_time) and (r.ends_at is null or r.ends_at > at_time)
  order by r.kind desc limit 1
$$;

-- Changes that the registry makes on its own account go on (modules/restraints/over-restraints.ts).
create function acts_over_restraints() returns boolean language sql stable
  return coalesce(current_setting('portal.over_restraints', true), '') <> '';

-- Refuses a change for one of these accounts that is restrained, with an error of the catalogue. Their rows are locked first: setting a
-- restraint waits for changes under way, and changes that come later read what was set.
create function refuse_restrained(accounts text[], restricting boolean) returns void language plpgsql as $$
declare
  at_time timestamptz;
  found account_restraint;
begin
  if acts_over_restraints() then return; end if;
  perform from account a where a.account_name = any(accounts) order by a.account_name for key share;
  if not exists (select from account_restraint r where r.ended_at is null) then return; end if;
  select happened_at into at_time from activity where activity_id = nullif(current_setting('portal.activity_id', true), '')::bigint;
  select r.* into found from unnest(accounts) n cross join lateral restraint_on(n, coalesce(at_time, now()), restricting) r limit 1;
  if found.account_restraint_id is not null then
    raise exception 'ACCOUNT_RESTRAINED' using errcode = 'RF001', detail = json_build_object('account', found.account_name,
      'stopped', case found.kind when 'hold' then 'changes of its holdings are' else 'changes of its holdings, whois objects, routing and reverse DNS are' end,
      'since', to_char(found.begins_at at time zone 'UTC', 'FMDD Mon YYYY HH24:MI "UTC"'),
      'until', coalesce('until ' || to_char(found.ends_at at time zone 'UTC', 'FMDD Mon YYYY HH24:MI "UTC"'), 'until the registry lifts it'),
      'writeTo', 'the registry')::text;
  end if;
end $$;

-- The last wall: numbers neither come to a restrained account nor leave it, by any writer of the ledger.
create function refuse_move_of_restrained() returns trigger language plpgsql as $$
declare accounts text[];
begin
  if tg_op = 'INSERT' then
    accounts := array(select distinct n.account_name from fresh n where n.registry = '' and n.status <> 'closed' order by 1);
  elsif tg_op = 'DELETE' then
    accounts := array(select distinct o.account_name from gone o where o.registry = '' and o.status <> 'closed' order by 1);
  else
    accounts := array(select distinct m.name from fresh n join gone o using (delegation_id) cross join lateral (values (o.account_name), (n.account_name)) m(name)
      where (n.registry = '' or o.registry = '') and (o.status <> 'closed' or n.status <> 'closed')
        and ((n.first, n.last, n.first_as, n.last_as, n.account_name, n.registry) is distinct from (o.first, o.last, o.first_as, o.last_as, o.account_name, o.registry)
          or (n.status = 'closed') <> (o.status = 'closed')) order by 1);
  end if;
  if cardinality(accounts) > 0 then perform refuse_restrained(accounts, false); end if;
  return null;
end $$;
create trigger restrained_inserted after insert on delegation referencing new table as fresh for each statement execute function refuse_move_of_restrained();
create trigger restrained_updated after update on delegation referencing new table as fresh old table as gone for each statement execute function refuse_move_of_restrained();
create trigger restrained_deleted after delete on delegation referencing old table as gone for each statement execute function refuse_move_of_restrained();

-- The same for what an account under a restriction would sign: ROAs and provider authorisations stay as they are.
create function refuse_signing_of_restricted() returns trigger language plpgsql as $$
declare accounts text[];
begin
  if tg_op = 'DELETE' then accounts := array(select distinct o.account_name from gone o order by 1);
  else accounts := array(select distinct n.account_name from fresh n order by 1);
  end if;
  if cardinality(accounts) > 0 then perform refuse_restrained(accounts, true); end if;
  return null;
end $$;
create trigger restricted_inserted after insert on roa referencing new table as fresh for each statement execute function refuse_signing_of_restricted();
create trigger restricted_updated after update on roa referencing new table as fresh for each statement execute function refuse_signing_of_restricted();
create trigger restricted_deleted after delete on roa referencing old table as gone for each statement execute function refuse_signing_of_restricted();
create trigger restricted_inserted after insert on aspa referencing new table as fresh for each statement execute function refuse_signing_of_restricted();
create trigger restricted_updated after update on aspa referencing new table as fresh for each statement execute function refuse_signing_of_restricted();
create trigger restricted_deleted after delete on aspa referencing old table as gone for each statement execute function refuse_signing_of_restricted();
