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
  -- No number goes two ways at a time.
  constraint locked_part_addresses_once exclude using gist (inetrange(first, last, '[]') with &&) where (kind <> 'asn'),
  constraint locked_part_as_numbers_once exclude using gist (int8range(first_as, last_as, '[]') with &&) where (kind = 'asn')
);
create index locked_part_reference on locked_part (reference);
create index locked_part_account on locked_part (account_name, kind);
-- What requests under way had locked: the whole delegation, marked as it stays marked.
insert into locked_part (reference, account_name, kind, first, last, first_as, last_as, resource, act, locked_at, fixed_at)
select 'REQ-' || r.resource_request_id, r.account_name,
  case when t.text like 'AS%' then 'asn' when t.text like '%:%' then 'ipv6' else 'ipv4' end,
  case when t.text not like 'AS%' then case when t.text like '%/%' then host(network(t.text::inet)) else split_part(t.text, ' - ', 1) end::inet end,
  case when t.text not like 'AS%' then case when t.text like '%/%' then host(broadcast(t.text::inet)) else split_part(t.text, ' - ', 2) end::inet end,
  case when t.text like 'AS%' then substr(split_part(t.text, ' - ', 1), 3)::bigint end,
  case when t.text like 'AS%' then substr(case when t.text like '% - %' then split_part(t.text, ' - ', 2) else t.text end, 3)::bigint end,
  t.text, case r.kind when 'return' then 'return' else 'transfer' end, r.since, case when r.state <> 'offered' then r.since end
from resource_request r cross join lateral jsonb_array_elements_text(r.form -> 'resources') t (text)
where r.state in ('offered', 'submitted', 'in-review', 'needs-info', 'awaiting-fee', 'on-hold') and r.kind in ('transfer', 'acquisition', 'return')
  and not coalesce((r.form ->> 'incoming')::boolean, false);
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
create trigger refuse_over_locked_part after insert or update or delete on nir_delegation for each row execute function refuse_over_locked_part('range');
create trigger refuse_over_locked_part after insert or update or delete on roa for each row execute function refuse_over_locked_part('prefix');
create trigger refuse_over_locked_part after insert or update or delete on aspa for each row execute function refuse_over_locked_part('customer');
-- What the registry writes out of its ledger follows the ledger.
create trigger refuse_over_locked_part_made after insert or update on whois_object for each row when (not new.kept) execute function refuse_over_locked_part('range');
create trigger refuse_over_locked_part_deleted after delete on whois_object for each row when (not old.kept) execute function refuse_over_locked_part('range');
create trigger refuse_over_locked_part after insert on listing for each row when (new.kind = 'offer') execute function refuse_over_locked_part('range');

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
