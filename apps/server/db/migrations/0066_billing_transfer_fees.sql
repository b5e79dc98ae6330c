-- Fees of transfers and mergers: invoices of their own, beside those of memberships.

alter table invoice drop constraint invoice_kind_check;
alter table invoice add constraint invoice_kind_check check (kind in ('RENEWAL', 'TRANSFER'));

-- A fee that a case waits for. The clock of billing makes its invoice within a minute.
create table transfer_fee (
  transfer_fee_id bigint generated always as identity primary key,
  -- Who pays.
  account_name text not null references account,
  -- The case, such as `REQ-12`.
  reference    text not null unique,
  -- As the line of the invoice says it.
  description  text not null,
  -- Before tax.
  amount       numeric(12, 2) not null check (amount > 0),
  -- Days to pay, from the issue of the invoice.
  days         integer not null check (days > 0),
  charged_at   timestamptz not null,
  invoice_id   bigint references invoice,
  -- The case ended without a transfer: nothing is to be paid.
  cancelled_at timestamptz
);
create index on transfer_fee (account_name);
create index on transfer_fee (invoice_id);
create index transfer_fee_open on transfer_fee (transfer_fee_id) where invoice_id is null and cancelled_at is null;
-- Cases that waited for a fee when it was no invoice yet.
insert into transfer_fee (account_name, reference, description, amount, days, charged_at)
  select coalesce(recipient_name, account_name), 'REQ-' || resource_request_id, 'Transfer fee, REQ-' || resource_request_id, fee, 30, since
  from resource_request where state = 'awaiting-fee' and fee > 0;
call keep_history('transfer_fee');
