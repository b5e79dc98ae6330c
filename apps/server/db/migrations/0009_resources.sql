-- The ledger of number resources: who holds what, what is free or kept back, and what members registered below their allocations.
-- Addresses are ranges with both ends in them, because a delegation need not be one prefix.

create type inetrange as range (subtype = inet);

create table delegation (
  delegation_id bigint generated always as identity primary key,
  kind text not null check (kind in ('ipv4', 'ipv6', 'asn')),
  -- The ends of an address range, host addresses; null for AS numbers.
  first inet,
  last inet,
  -- The ends of a range of AS numbers; null for addresses.
  first_as bigint,
  last_as bigint,
  -- As people write it, in the one canonical form.
  resource text not null,
  -- How many addresses or AS numbers: IPv6 does not fit a bigint.
  size numeric(39) not null check (size > 0),
  type text not null check (type in ('allocated', 'assigned')),
  status text not null default 'active' check (status in ('active', 'locked', 'closing', 'closed')),
  source text not null default 'delegated' check (source in ('delegated', 'transferred', 'historical')),
  portable boolean not null default true,
  -- For one use: the LAN of an exchange, or an event. Such space is no share of the last pool, can be returned, and goes to no one else.
  purpose text check (purpose in ('exchange', 'temporary')),
  delegated_on date,
  hold_until date,
  -- The last day of space for an event: the registry opens its return on the day after.
  ends_on date check (ends_on is null or purpose = 'temporary'),
  economy text check (economy ~ '^[A-Z]{2}$'),
  account_name text not null references account,
  -- Empty for this registry itself; others, whose files were imported, as those spell them.
  registry text not null,
  -- What a statistics file said that has no column of its own: a date that is none, and fields after the last known one.
  date_text text,
  extensions text,
  check (case kind when 'asn' then first is null and last is null and first_as >= 0 and last_as >= first_as and last_as < 4294967296
    and size = last_as - first_as + 1
    else first_as is null and last_as is null and first <= last and family(first) = case kind when 'ipv4' then 4 else 6 end
      and family(last) = family(first) and masklen(first) = masklen(last) and masklen(first) = case kind when 'ipv4' then 32 else 128 end end),
  -- Numbers have both ends: a comparison with an end that isn't there is neither true nor false, and passes a check.
  constraint delegation_ends check (case kind when 'asn' then num_nonnulls(first_as, last_as) = 2 else num_nonnulls(first, last) = 2 end),
  check (date_text is null or delegated_on is null),
  -- No address and no AS number is delegated twice at a time.
  constraint delegation_addresses_once exclude using gist (inetrange(first, last, '[]') with &&) where (kind <> 'asn' and status <> 'closed'),
  constraint delegation_as_numbers_once exclude using gist (int8range(first_as, last_as, '[]') with &&) where (kind = 'asn' and status <> 'closed')
);
-- As active delegations are disjoint, the one that holds an address is the last to begin at or before it: a btree finds it at once.
create index delegation_first on delegation (first) include (last) where kind <> 'asn' and status <> 'closed';
create index delegation_first_as on delegation (first_as) include (last_as) where kind = 'asn' and status <> 'closed';
-- Delegations that ended, by their first number: who held it then.
create index delegation_closed on delegation (first) where kind <> 'asn' and status = 'closed';
create index delegation_closed_as on delegation (first_as) where kind = 'asn' and status = 'closed';
create index delegation_account on delegation (account_name, kind);
-- What was delegated in a time, for the first page of the desk.
create index delegation_delegated_on on delegation (delegated_on) include (kind, size) where registry = '' and source = 'delegated';
create index delegation_ends on delegation (ends_on) where ends_on is not null and status <> 'closed';
create index delegation_registry on delegation (registry, first) include (last) where kind <> 'asn' and status <> 'closed';
create index delegation_registry_as on delegation (registry, first_as) include (last_as) where kind = 'asn' and status <> 'closed';
call keep_history('delegation');

-- What belongs to nobody: free to be delegated, or kept back.
create table pool (
  pool_id bigint generated always as identity primary key,
  kind text not null check (kind in ('ipv4', 'ipv6', 'asn')),
  first inet,
  last inet,
  first_as bigint,
  last_as bigint,
  resource text not null,
  size numeric(39) not null check (size > 0),
  state text not null check (state in ('available', 'reserved')),
  -- The request (`REQ-12`) a reserved block is held for while it is decided; null where the registry keeps it back for other reasons.
  held_for text,
  -- The first day on which a returned block can be given again; null where it is not in quarantine.
  rests_until date,
  -- Why staff keep the block back, or why they changed the end of its quarantine.
  reason text check (length(reason) between 1 and 500),
  -- The first day on which a block that is kept back can be given again; null where it is kept until staff release it.
  kept_until date,
  registry text not null,
  -- As the statistics file writes them, to be written again: most registries leave them empty.
  economy_text text not null default '',
  date_text text not null default '',
  -- Everything from the eighth field on; null where the line ends before it.
  extensions text,
  check (case kind when 'asn' then first is null and last is null and first_as >= 0 and last_as >= first_as and last_as < 4294967296
    and size = last_as - first_as + 1
    else first_as is null and last_as is null and first <= last and family(first) = case kind when 'ipv4' then 4 else 6 end
      and family(last) = family(first) and masklen(first) = masklen(last) and masklen(first) = case kind when 'ipv4' then 32 else 128 end end),
  constraint pool_ends check (case kind when 'asn' then num_nonnulls(first_as, last_as) = 2 else num_nonnulls(first, last) = 2 end),
  -- A reserved block without any of the four was kept back by a statistics file.
  constraint pool_why_reserved check (state = 'reserved' or (held_for is null and rests_until is null and reason is null and kept_until is null)),
  constraint pool_one_reason check (num_nonnulls(held_for, rests_until, kept_until) <= 1 and (held_for is null or reason is null)
    and (kept_until is null or reason is not null)),
  constraint pool_addresses_once exclude using gist (inetrange(first, last, '[]') with &&) where (kind <> 'asn'),
  constraint pool_as_numbers_once exclude using gist (int8range(first_as, last_as, '[]') with &&) where (kind = 'asn')
);
create index pool_first on pool (registry, first) include (last) where kind <> 'asn';
create index pool_first_as on pool (registry, first_as) include (last_as) where kind = 'asn';
-- Whose pool an address lies in, whatever the registry.
create index pool_any_first on pool (first) include (last) where kind <> 'asn';
create index pool_any_first_as on pool (first_as) include (last_as) where kind = 'asn';
create index pool_held_for on pool (held_for) where held_for is not null;
create index pool_rests_until on pool (rests_until) where rests_until is not null;
create index pool_kept_until on pool (kept_until) where kept_until is not null;
call keep_history('pool');

-- What one registry delegated is not in its own pools. Ledger writes wait for each other here, so that none misses what another is about to commit.
-- Pools of one registry and delegations of another may meet: registries say so of their files while resources move between them.
create function refuse_delegated_pool() returns trigger language plpgsql as $$
declare clash text;
begin
  if not exists (select from fresh) then return null; end if;
  perform pg_advisory_xact_lock(7331004);
  if tg_table_name = 'delegation' then
    select f.resource || ' is in the pool ' || p.resource into clash from fresh f, lateral (
      select o.last, o.resource from pool o where o.registry = f.registry and o.kind <> 'asn' and o.first <= f.last order by o.first desc limit 1
    ) p where f.kind <> 'asn' and f.status <> 'closed' and p.last >= f.first limit 1;
    if clash is null then
      select f.resource || ' is in the pool ' || p.resource into clash from fresh f, lateral (
        select o.last_as, o.resource from pool o where o.registry = f.registry and o.kind = 'asn' and o.first_as <= f.last_as order by o.first_as desc limit 1
      ) p where f.kind = 'asn' and f.status <> 'closed' and p.last_as >= f.first_as limit 1;
    end if;
  else
    select f.resource || ' holds the delegation ' || d.resource into clash from fresh f, lateral (
      select o.last, o.resource from delegation o where o.registry = f.registry and o.kind <> 'asn' and o.status <> 'closed'
      and o.first <= f.last order by o.first desc limit 1
    ) d where f.kind <> 'asn' and d.last >= f.first limit 1;
    if clash is null then
      select f.resource || ' holds the delegation ' || d.resource into clash from fresh f, lateral (
        select o.last_as, o.resource from delegation o where o.registry = f.registry and o.kind = 'asn' and o.status <> 'closed'
        and o.first_as <= f.last_as order by o.first_as desc limit 1
      ) d where f.kind = 'asn' and d.last_as >= f.first_as limit 1;
    end if;
  end if;
  if clash is not null then
    raise exception '%', clash using errcode = 'exclusion_violation', constraint = 'delegation_not_in_pool';
  end if;
  return null;
end $$;
create trigger not_in_pool_inserted after insert on delegation referencing new table as fresh for each statement execute function refuse_delegated_pool();
create trigger not_in_pool_updated after update on delegation referencing new table as fresh for each statement execute function refuse_delegated_pool();
create trigger not_delegated_inserted after insert on pool referencing new table as fresh for each statement execute function refuse_delegated_pool();
create trigger not_delegated_updated after update on pool referencing new table as fresh for each statement execute function refuse_delegated_pool();

-- What a member registered below an allocation: customers, own networks, sub-allocations.
create table assignment (
  assignment_id bigint generated always as identity primary key,
  delegation_id bigint not null references delegation,
  account_name text not null references account,
  kind text not null check (kind in ('ipv4', 'ipv6')),
  first inet not null,
  last inet not null,
  resource text not null,
  size numeric(39) not null check (size > 0),
  -- allocated: the customer may give parts on, so others may lie in it.
  type text not null check (type in ('allocated', 'assigned')),
  -- How many others it lies in.
  level integer not null check (level >= 0),
  netname text not null check (length(netname) between 1 and 80),
  descr text,
  customer text,
  -- public: in whois; private: known to the registry only.
  visibility text not null check (visibility in ('public', 'private')),
  economy text check (economy ~ '^[A-Z]{2}$'),
  registered_on date not null,
  updated_at timestamptz not null,
  -- Made by its whois object, and not in the register: it goes when that object is deleted. Whoever edits it in the register makes it its own.
  from_whois boolean not null default false,
  -- A registration of a national registry for one of its members is portable, like what this registry delegates itself.
  portable boolean not null default false,
  check (first <= last and family(first) = case kind when 'ipv4' then 4 else 6 end and family(last) = family(first)
    and masklen(first) = masklen(last) and masklen(first) = case kind when 'ipv4' then 32 else 128 end),
  -- Those of one level lie side by side. Checked at the end of a statement, so that one may move all below a new one down.
  constraint assignment_side_by_side exclude using gist (level with =, inetrange(first, last, '[]') with &&) deferrable initially immediate
);
-- Read without the rows themselves: gaps between a million of them.
create index assignment_delegation on assignment (delegation_id, level, first) include (last);
-- Frames: sub-allocations that no sub-account holds, in which space can be free. Few, among a million registrations.
create index assignment_frame on assignment (delegation_id, level, first) where type = 'allocated' and not portable;
create index assignment_account on assignment (account_name, kind, first);
create index assignment_customer on assignment (account_name, customer);
create index assignment_netname on assignment using gin (lower(netname) gin_trgm_ops);
call keep_history('assignment');

-- The last statistics file taken in of each registry: what a new export repeats of it.
create table statistics_file (
  registry text primary key,
  format text not null check (format in ('delegated', 'delegated-extended')),
  -- The fields of its version line, as written.
  version text not null,
  serial text not null,
  start_date text not null,
  end_date text not null,
  utc_offset text not null,
  -- Kinds in the order of its summary lines, and of its records.
  summary_kinds text[] not null,
  record_kinds text[] not null,
  -- Its resources in their order, only where that is not by kind and number.
  record_order text[],
  imported_at timestamptz not null
);
call keep_history('statistics_file');

-- Locks that holders put on their delegations: nothing of a locked one is transferred or returned. Released after a delay, and by two people.
create table resource_lock (
  resource_lock_id bigint generated always as identity primary key,
  account_name  text not null references account,
  delegation_id bigint not null references delegation,
  locked_at     timestamptz not null,
  locked_by     text not null references login,
  -- The release: who requested it, who else confirmed it, and the instant from which it can count.
  requested_at  timestamptz,
  requested_by  text references login,
  confirmed_by  text references login,
  -- Confirmed by registry staff, for an account with one contact.
  by_staff      boolean not null default false,
  releases_at   timestamptz,
  released_at   timestamptz,
  check ((requested_at is null) = (requested_by is null) and (requested_at is null) = (releases_at is null)),
  check (confirmed_by is null or (requested_at is not null and confirmed_by <> requested_by)),
  check (released_at is null or confirmed_by is not null)
);
create unique index resource_lock_once on resource_lock (delegation_id) where released_at is null;
create index on resource_lock (account_name, resource_lock_id);
create index on resource_lock (locked_by);
create index on resource_lock (requested_by);
create index on resource_lock (confirmed_by);
create index resource_lock_due on resource_lock (releases_at) where released_at is null and confirmed_by is not null;
call keep_history('resource_lock');

-- Parts of delegations that requests move: to another holder, or back to the registry. The part is locked, not the delegation it lies in, so that the
-- rest can be used, and moved by other requests. From `fixed_at` on nothing over the part changes: the other party has read what goes with it.
create table locked_part (
  locked_part_id bigint generated always as identity primary key,
  -- The request that moves it (`REQ-12`); it unlocks it.
  reference text not null,
  account_name text not null references account,
  kind text not null check (kind in ('ipv4', 'ipv6', 'asn')),
  first inet,
  last inet,
  first_as bigint,
  last_as bigint,
  resource text not null,
  act text not null check (act in ('transfer', 'return')),
  locked_at timestamptz not null,
  fixed_at timestamptz,
  check (case kind when 'asn' then first is null and last is null and first_as >= 0 and last_as >= first_as
    else first_as is null and last_as is null and first <= last and family(first) = case kind when 'ipv4' then 4 else 6 end end),
  constraint locked_part_ends check (case kind when 'asn' then num_nonnulls(first_as, last_as) = 2 else num_nonnulls(first, last) = 2 end),
  -- No number goes two ways at a time.
  constraint locked_part_addresses_once exclude using gist (inetrange(first, last, '[]') with &&) where (kind <> 'asn'),
  constraint locked_part_as_numbers_once exclude using gist (int8range(first_as, last_as, '[]') with &&) where (kind = 'asn')
);
create index locked_part_reference on locked_part (reference);
create index locked_part_account on locked_part (account_name, kind);
call keep_history('locked_part');

-- Refuses with an error of the catalogue, its blanks as JSON (platform/database/refusals.ts).
create function refuse_locked(part locked_part) returns void language plpgsql as $$
begin
  raise exception 'RESOURCE_LOCKED' using errcode = 'RF001', detail = json_build_object('resource', part.resource, 'reference', part.reference)::text;
end $$;

-- True in a change that carries out what was locked, or that the registry makes on its own account (modules/resources/locked-parts.ts).
create function acts_over_locks() returns boolean language sql stable
  return coalesce(current_setting('portal.over_locks', true), '') <> '';

-- What stands over a fixed part stays: inside it nothing is made, changed or deleted; what reaches beyond it is neither made nor deleted, and its words
-- may change. The argument says where a row has its numbers: `range`, `prefix`, or `customer`.
create function refuse_over_locked_part() returns trigger language plpgsql as $$
declare
  r jsonb;
  a inet; z inet; fa bigint; la bigint;
  part locked_part;
begin
  if acts_over_locks() or not exists (select from locked_part where fixed_at is not null) then return null; end if;
  r := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  case tg_argv[0]
    when 'range' then a := r ->> 'first'; z := r ->> 'last'; fa := r ->> 'first_as'; la := r ->> 'last_as';
    when 'prefix' then a := host(network((r ->> 'prefix')::inet)); z := host(broadcast((r ->> 'prefix')::inet));
    when 'customer' then fa := r ->> 'customer'; la := fa;
  end case;
  if a is not null then
    select p.* into part from locked_part p where p.kind <> 'asn' and p.fixed_at is not null and inetrange(p.first, p.last, '[]') && inetrange(a, z, '[]')
      and (tg_op <> 'UPDATE' or (p.first <= a and p.last >= z)) limit 1;
  elsif fa is not null then
    select p.* into part from locked_part p where p.kind = 'asn' and p.fixed_at is not null and int8range(p.first_as, p.last_as, '[]') && int8range(fa, la, '[]')
      and (tg_op <> 'UPDATE' or (p.first_as <= fa and p.last_as >= la)) limit 1;
  end if;
  if part.locked_part_id is not null then perform refuse_locked(part); end if;
  return null;
end $$;

create trigger refuse_over_locked_part after insert or delete on assignment for each row execute function refuse_over_locked_part('range');
create trigger refuse_over_locked_part_updated after update on assignment for each row
  when ((old.netname, old.descr, old.customer, old.type, old.visibility, old.economy, old.first, old.last, old.account_name)
    is distinct from (new.netname, new.descr, new.customer, new.type, new.visibility, new.economy, new.first, new.last, new.account_name))
  execute function refuse_over_locked_part('range');

-- A delegation with a locked part keeps its numbers and its holder, until the request that locks it is carried out.
create function refuse_change_of_locked() returns trigger language plpgsql as $$
declare part locked_part;
begin
  if acts_over_locks() then return null; end if;
  if old.kind = 'asn' then
    select p.* into part from locked_part p where p.kind = 'asn' and int8range(p.first_as, p.last_as, '[]') && int8range(old.first_as, old.last_as, '[]') limit 1;
  else
    select p.* into part from locked_part p where p.kind <> 'asn' and inetrange(p.first, p.last, '[]') && inetrange(old.first, old.last, '[]') limit 1;
  end if;
  if part.locked_part_id is not null then perform refuse_locked(part); end if;
  return null;
end $$;
create trigger refuse_change_of_locked after update on delegation for each row
  when (old.status <> 'closed' and ((new.first, new.last, new.first_as, new.last_as, new.account_name, new.type)
    is distinct from (old.first, old.last, old.first_as, old.last_as, old.account_name, old.type) or new.status = 'closed'))
  execute function refuse_change_of_locked();

-- The status of a delegation follows the parts in it: `closing` with one on its way back, `locked` with one on its way to another holder.
create function status_by_parts(holder text, of text, a inet, z inet, fa bigint, la bigint) returns text language sql stable
  return coalesce((select case when bool_or(p.act = 'return') then 'closing' else 'locked' end from locked_part p
    where p.account_name = holder and p.kind = of and (case when of = 'asn' then p.first_as <= la and p.last_as >= fa else p.first <= z and p.last >= a end)
    having count(*) > 0), 'active');

create function mark_locked_delegation() returns trigger language plpgsql as $$
declare p locked_part;
begin
  p := case tg_op when 'DELETE' then old else new end;
  update delegation d set status = status_by_parts(d.account_name, d.kind, d.first, d.last, d.first_as, d.last_as)
  where d.account_name = p.account_name and d.kind = p.kind and d.registry = '' and d.status <> 'closed'
    and (case when p.kind = 'asn' then d.first_as <= p.last_as and d.last_as >= p.first_as else d.first <= p.last and d.last >= p.first end);
  return null;
end $$;
create trigger mark_locked_delegation after insert or delete on locked_part for each row execute function mark_locked_delegation();

-- What its holder keeps of a delegation is one anew: it stays marked while another part of it is locked.
create function mark_new_delegation() returns trigger language plpgsql as $$
begin
  new.status := status_by_parts(new.account_name, new.kind, new.first, new.last, new.first_as, new.last_as);
  return new;
end $$;
create trigger mark_new_delegation before insert on delegation for each row when (new.status = 'active' and new.registry = '') execute function mark_new_delegation();

-- History of one delegation.
create index row_change_delegation on row_change ((coalesce(after, before) ->> 'delegation_id')) where table_name = 'delegation';

-- History of what is registered below one delegation.
create index row_change_assignment on row_change ((coalesce(after, before) ->> 'delegation_id')) where table_name = 'assignment';

-- Prefixes that a call names may be thousands and contain each other, and ROAs of one prefix thousands too: joined by overlap they are hundreds of millions of pairs.
-- These two make each row be found once: what lies in the outermost of them, and what is one of them or contains one.

-- The outermost of these prefixes, each once. A prefix follows those that contain it, so one that ends behind all before it is in none of them.
create function outermost_prefixes(prefixes cidr[]) returns table (prefix cidr) language sql immutable as $$
  select each.prefix from (
    select once.prefix, once.last, max(once.last) over (partition by family(once.prefix) order by once.prefix rows between unbounded preceding and 1 preceding) as before
    from (select distinct g.prefix, set_masklen(broadcast(g.prefix), case family(g.prefix) when 4 then 32 else 128 end) as last
      from unnest(prefixes) as g (prefix)) once) each
  where each.before is null or each.last > each.before
$$;

-- These prefixes, and all that contain one of them, each once.
create function prefixes_and_around(prefixes cidr[]) returns table (prefix cidr) language sql immutable as $$
  with recursive up (prefix) as (
    select g.prefix from unnest(prefixes) as g (prefix)
    union select set_masklen(up.prefix, masklen(up.prefix) - 1) from up where masklen(up.prefix) > 0)
  select up.prefix from up
$$;
