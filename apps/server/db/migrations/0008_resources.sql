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
  delegated_on date,
  hold_until date,
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
  constraint pool_addresses_once exclude using gist (inetrange(first, last, '[]') with &&) where (kind <> 'asn'),
  constraint pool_as_numbers_once exclude using gist (int8range(first_as, last_as, '[]') with &&) where (kind = 'asn')
);
create index pool_first on pool (registry, first) include (last) where kind <> 'asn';
create index pool_first_as on pool (registry, first_as) include (last_as) where kind = 'asn';
-- Whose pool an address lies in, whatever the registry.
create index pool_any_first on pool (first) include (last) where kind <> 'asn';
create index pool_any_first_as on pool (first_as) include (last_as) where kind = 'asn';
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
  check (first <= last and family(first) = case kind when 'ipv4' then 4 else 6 end and family(last) = family(first)
    and masklen(first) = masklen(last) and masklen(first) = case kind when 'ipv4' then 32 else 128 end),
  -- Those of one level lie side by side. Checked at the end of a statement, so that one may move all below a new one down.
  constraint assignment_side_by_side exclude using gist (level with =, inetrange(first, last, '[]') with &&) deferrable initially immediate
);
create index assignment_delegation on assignment (delegation_id, level, first);
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

-- History of one delegation.
create index row_change_delegation on row_change ((coalesce(after, before) ->> 'delegation_id')) where table_name = 'delegation';

-- History of what is registered below one delegation.
create index row_change_assignment on row_change ((coalesce(after, before) ->> 'delegation_id')) where table_name = 'assignment';
