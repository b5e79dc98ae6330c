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

-- Frames: sub-allocations that no sub-account holds, in which space can be free. Few, among a million registrations.
create index assignment_frame on assignment (delegation_id, level, first) where type = 'allocated' and not portable;
-- The ends of registrations side by side, read without the rows themselves: gaps between a million of them.
drop index assignment_delegation;
create index assignment_delegation on assignment (delegation_id, level, first) include (last);
