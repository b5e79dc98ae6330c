-- The fee of a case that ended is taken back by a credit note, which no person gives: it is counted under no limit. Expands.
alter table credit_note alter column issued_by drop not null;
alter table credit_note alter column limited_act_id drop not null;
alter table credit_note add constraint credit_note_is_counted check ((issued_by is null) = (limited_act_id is null));

create function refuse_uncounted_notes() returns trigger language plpgsql as $$
begin
  if new.limited_act_id is null and not exists (select from invoice i where i.invoice_id = new.invoice_id and i.kind in ('transfer', 'reactivation')) then
    raise exception 'A credit note is counted under a limit, unless it is for the fee of a case' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger refuse_uncounted_notes before insert on credit_note for each row execute function refuse_uncounted_notes();

-- Fees of cases that ended before they had credit notes. Their cancellation is their entry of the ledger, in months that may be closed.
alter table invoice add column cancelled_without_note boolean not null default false;
do $$
declare line bigint;
begin
  if exists (select from invoice where state = 'cancelled' and credited < total) then
    insert into activity (action, summary, trace_id)
      values ('operator.migrate', 'Marked fees that were cancelled without a credit note', replace(gen_random_uuid()::text, '-', '')) returning activity_id into line;
    perform set_config('portal.activity_id', line::text, true);
    update invoice set cancelled_without_note = true where state = 'cancelled' and credited < total;
    perform set_config('portal.activity_id', '', true);
  end if;
end $$;
