-- Kinds of invoices, fees and requests, and decisions about access, are spelled as states are: `sign-up`, `change-role`.
do $$
declare
  line bigint;
  old record;
begin
  for old in select conrelid::regclass as of_table, conname from pg_constraint
    where contype = 'c' and pg_get_constraintdef(oid) ~ '''(RENEWAL|TRANSFER|LINK|ADD|KEEP)'''
      and conrelid in ('invoice'::regclass, 'transfer_fee'::regclass, 'access_request'::regclass, 'registry_request'::regclass, 'access_review_line'::regclass)
  loop
    execute format('alter table %s drop constraint %I', old.of_table, old.conname);
  end loop;
  drop index invoice_of_term, invoice_of_sign_up, access_request_link;
  alter table transfer_fee alter kind set default 'transfer';
  if exists (select from invoice) or exists (select from transfer_fee) or exists (select from renewal_quote) or exists (select from access_request)
    or exists (select from registry_request) or exists (select from access_review_line) then
    insert into activity (action, summary, trace_id)
      values ('operator.migrate', 'Spelled kinds as states are spelled', replace(gen_random_uuid()::text, '-', '')) returning activity_id into line;
    perform set_config('portal.activity_id', line::text, true);
    update invoice set kind = lower(replace(kind, '_', '-'));
    update transfer_fee set kind = lower(kind);
    update renewal_quote set content = jsonb_set(content, '{kind}', '"renewal"') where content ->> 'kind' = 'RENEWAL';
    update access_request set kind = lower(replace(kind, '_', '-'));
    update registry_request set kind = lower(replace(kind, '_', '-'));
    update access_review_line set decision = lower(decision);
    perform set_config('portal.activity_id', '', true);
  end if;
end $$;
alter table invoice add constraint invoice_kind check (kind in ('renewal', 'transfer', 'reactivation', 'sign-up')),
  add constraint invoice_by_schedule check ((kind in ('renewal', 'sign-up')) = (fee_schedule_id is not null));
-- One renewal of a term that counts.
create unique index invoice_of_term on invoice (account_name, period_from) where kind = 'renewal' and state <> 'cancelled';
-- One invoice opens a new account.
create unique index invoice_of_sign_up on invoice (account_name) where kind = 'sign-up' and state <> 'cancelled';
alter table transfer_fee add constraint transfer_fee_kind check (kind in ('transfer', 'reactivation'));
alter table access_request add constraint access_request_kind check (kind in ('link', 'add-contact', 'remove-contact', 'change-role', 'permission'));
create unique index access_request_link on access_request (account_name, login_id) where kind = 'link' and status = 'pending';
alter table registry_request add constraint registry_request_kind check (kind in ('add', 'change-role', 'remove'));
alter table access_review_line add constraint access_review_line_decision check (decision in ('keep', 'narrow', 'remove'));

-- Numbers have both ends: a comparison with an end that isn't there is neither true nor false, and passes a check.
alter table delegation add constraint delegation_ends check (case kind when 'asn' then num_nonnulls(first_as, last_as) = 2 else num_nonnulls(first, last) = 2 end);
alter table pool add constraint pool_ends check (case kind when 'asn' then num_nonnulls(first_as, last_as) = 2 else num_nonnulls(first, last) = 2 end);
alter table locked_part add constraint locked_part_ends check (case kind when 'asn' then num_nonnulls(first_as, last_as) = 2 else num_nonnulls(first, last) = 2 end);
alter table asked_object add constraint asked_object_ends check (case kind when 'asn' then num_nonnulls(first_as, last_as) = 2 else num_nonnulls(first, last) = 2 end);
alter table nir_delegation add constraint nir_delegation_ends check (case kind when 'asn' then num_nonnulls(first_as, last_as) = 2 else num_nonnulls(first, last) = 2 end);
