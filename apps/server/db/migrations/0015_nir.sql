-- National registries: the organisations they serve, the sub-accounts of those, and what each sub-account was given.

-- An organisation behind sub-accounts of a national registry, as that registry knows it.
create table nir_entity (
  entity_id bigint generated always as identity primary key,
  account_name text not null references account,
  -- In English, as whois shows it, and in its own script.
  name text not null check (length(name) between 1 and 200),
  local_name text not null default '',
  registration_number text not null default '',
  address text not null default '',
  economy text check (economy ~ '^[A-Z]{2}$'),
  phone text not null default '',
  email text not null default '',
  -- The person, role or organisation object that shows it in whois; empty without one.
  handle text not null default '',
  remarks text not null default '',
  -- A duplicate that was merged stays under its id for thirty days, in which it can be separated again; `merged_subaccounts` are those it brought.
  merged_into bigint references nir_entity,
  merged_at timestamptz,
  merged_subaccounts bigint[],
  version integer not null default 1,
  updated_at timestamptz not null,
  check ((merged_into is null) = (merged_at is null))
);
create index nir_entity_name on nir_entity (account_name, lower(name), entity_id) where merged_into is null;
create index nir_entity_merged on nir_entity (merged_into);
create index nir_entity_words on nir_entity using gin (lower(name) gin_trgm_ops);
create index nir_entity_number on nir_entity (account_name, registration_number) where registration_number <> '';
call keep_history('nir_entity');

-- A member of a national registry.
create table subaccount (
  subaccount_id bigint generated always as identity primary key,
  account_name text not null references account,
  -- `NAME-CC`, once in each national registry.
  name text not null check (name ~ '^[A-Z0-9][A-Z0-9-]*-[A-Z]{2}$' and length(name) <= 40),
  entity_id bigint not null references nir_entity,
  status text not null default 'open' check (status in ('open', 'closed')),
  contact_name text not null default '',
  email text not null default '',
  remarks text not null default '',
  opened_on date not null,
  closed_on date,
  version integer not null default 1,
  updated_at timestamptz not null,
  unique (account_name, name),
  check ((status = 'closed') = (closed_on is not null))
);
create index subaccount_entity on subaccount (entity_id);
create index subaccount_words on subaccount using gin (lower(name) gin_trgm_ops);
call keep_history('subaccount');

-- What a sub-account holds. Addresses out of the national registry's own pool are registrations of its ledger (`assignment`); what this registry
-- delegated for the sub-account is a delegation of the national registry; AS numbers are parts of its delegations.
create table nir_delegation (
  nir_delegation_id bigint generated always as identity primary key,
  account_name text not null references account,
  subaccount_id bigint not null references subaccount,
  kind text not null check (kind in ('ipv4', 'ipv6', 'asn')),
  first inet,
  last inet,
  first_as bigint,
  last_as bigint,
  resource text not null,
  size numeric(39) not null check (size > 0),
  -- Its first number as a number: the order of lists, of all kinds alike.
  start numeric(39) not null,
  type text not null check (type in ('allocated', 'assigned')),
  netname text not null default '',
  -- nir: out of the pool of the national registry. registry: out of that of this registry.
  pool text not null check (pool in ('nir', 'registry')),
  -- It ends with its registration, whatever ends that.
  assignment_id bigint unique references assignment on delete cascade,
  delegated_on date not null,
  check (case kind when 'asn' then first is null and first_as >= 0 and last_as >= first_as and assignment_id is null
    else first_as is null and first <= last end),
  constraint nir_delegation_ends check (case kind when 'asn' then num_nonnulls(first_as, last_as) = 2 else num_nonnulls(first, last) = 2 end),
  -- No address and no AS number belongs to two sub-accounts.
  constraint nir_delegation_addresses_once exclude using gist (inetrange(first, last, '[]') with &&) where (kind <> 'asn'),
  constraint nir_delegation_as_numbers_once exclude using gist (int8range(first_as, last_as, '[]') with &&) where (kind = 'asn')
);
create index nir_delegation_list on nir_delegation (account_name, kind, start);
create index nir_delegation_subaccount on nir_delegation (subaccount_id, kind, start);
create index nir_delegation_netname on nir_delegation using gin (lower(netname) gin_trgm_ops);
call keep_history('nir_delegation');
create trigger refuse_over_locked_part after insert or update or delete on nir_delegation for each row execute function refuse_over_locked_part('range');

-- What sub-accounts hold of AS numbers, and of blocks out of this registry's pool, ends with the delegation it lies in, whatever ends that: an import of the ledger too.
-- Addresses out of the national registry's own pool end with their registration. Judged when the change is made, because space that is split is closed and delegated anew.
create function end_nir_delegations() returns trigger language plpgsql as $$
begin
  if new.kind = 'asn' then
    delete from nir_delegation n where n.account_name = new.account_name and n.kind = 'asn' and n.first_as >= new.first_as and n.last_as <= new.last_as
      and not exists (select from delegation d where d.account_name = n.account_name and d.kind = 'asn' and d.status <> 'closed'
        and d.first_as <= n.first_as and d.last_as >= n.last_as);
  else
    delete from nir_delegation n where n.account_name = new.account_name and n.kind = new.kind and n.assignment_id is null
      and n.first >= new.first and n.last <= new.last
      and not exists (select from delegation d where d.account_name = n.account_name and d.kind = n.kind and d.status <> 'closed'
        and d.first <= n.first and d.last >= n.last);
  end if;
  return null;
end $$;
create constraint trigger nir_delegation_of_closed after update of status on delegation deferrable initially deferred
  for each row when (new.status = 'closed' and old.status <> 'closed') execute function end_nir_delegations();
