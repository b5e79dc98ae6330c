-- What an account asked for the whois objects of numbers that it was given: the name of the network, its contacts, its maintainer and the mailbox for abuse reports. What
-- is empty is as the account has it. The objects are made from it whenever the ledger has them written; it lasts for as long as the account holds some of the numbers.
create table asked_object (
  asked_object_id bigint generated always as identity primary key,
  account_name text not null references account,
  kind text not null check (kind in ('ipv4', 'ipv6', 'asn')),
  first inet,
  last inet,
  first_as bigint,
  last_as bigint,
  netname text not null default '',
  -- A second line of `descr`: for whom the numbers are, where the holder has them for a member of its own.
  descr text not null default '',
  admin_c text not null default '',
  tech_c text not null default '',
  maintainer text not null default '',
  abuse_mailbox text not null default '',
  check (case kind when 'asn' then first is null and last is null and first_as >= 0 and last_as >= first_as
    else first_as is null and last_as is null and first <= last and family(first) = case kind when 'ipv4' then 4 else 6 end end)
);
create index asked_object_account on asked_object (account_name);
call keep_history('asked_object');

-- The irts that the registry keeps for accounts: found by account.
create index whois_object_kept_irt on whois_object (kept_for) where class = 'irt' and kept_for is not null;

-- Objects of members that name an irt of the registry itself are written anew: abuse reports about them go to their holder.
do $$
declare line bigint;
begin
  if exists (select from whois_object o join whois_reference r using (object_id) join whois_object i on i.class = 'irt' and i.key = r.value
    where o.kept_for is not null and r.attribute = 'mnt-irt' and i.registry_maintained) then
    insert into activity (action, summary, trace_id)
      values ('operator.migrate', 'Had objects written anew that name the abuse mailbox of the registry', replace(gen_random_uuid()::text, '-', ''))
      returning activity_id into line;
    perform set_config('portal.activity_id', line::text, true);
    insert into whois_due_account (account_name)
      select distinct o.kept_for from whois_object o join whois_reference r using (object_id) join whois_object i on i.class = 'irt' and i.key = r.value
      where o.kept_for is not null and r.attribute = 'mnt-irt' and i.registry_maintained order by 1
    on conflict (account_name) do update set noticed_at = now();
    perform set_config('portal.activity_id', '', true);
  end if;
end $$;
