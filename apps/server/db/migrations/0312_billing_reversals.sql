-- A payment that was recorded and is none, or is of another invoice: put on the wrong one, bounced, recalled by the payer's bank, charged back, or paid back at the card
-- provider. The payment stays; this stands beside it. Never changed.
create table payment_reversal (
  payment_reversal_id bigint generated always as identity primary key,
  -- `RV-2026-000001`: the year of the reversal, and a number without gaps in it.
  number       text not null unique check (number = 'RV-' || year || '-' || lpad(sequence::text, 6, '0')),
  year         integer not null,
  sequence     integer not null check (sequence > 0),
  account_name text not null references account,
  -- Each payment is reversed once.
  payment_id   bigint not null unique references payment,
  kind         text not null check (kind in ('wrong-invoice', 'bounced', 'recalled', 'chargeback', 'card-refund')),
  reversed_on  date not null,
  amount       numeric(14, 2) not null check (amount > 0),
  -- The part of it that had become credit of the account; the rest was of the invoice.
  from_credit  numeric(14, 2) not null check (from_credit between 0 and amount),
  -- The payment that takes its place, on another invoice.
  moved_to     bigint unique references payment check ((moved_to is not null) = (kind = 'wrong-invoice')),
  reason       text not null,
  reversed_by  text not null references login,
  reversed_at  timestamptz not null,
  limited_act_id bigint not null unique references limited_act,
  unique (year, sequence)
);
create index on payment_reversal (account_name);
create index on payment_reversal (reversed_by);
call keep_history('payment_reversal');
create function refuse_change_of_reversals() returns trigger language plpgsql as $$
begin
  raise exception 'A reversal stays as it was recorded: % is refused', lower(tg_op) using errcode = 'restrict_violation';
end $$;
create trigger refuse_change_of_reversals before update or delete on payment_reversal for each row execute function refuse_change_of_reversals();
create trigger refuse_closed_days before insert on payment_reversal for each row execute function refuse_closed_days('reversed_on');

alter table account_credit add payment_reversal_id bigint references payment_reversal;
alter table account_credit drop constraint account_credit_of_one,
  add constraint account_credit_of_one check (num_nonnulls(payment_id, credit_note_id, refund_id, cancelled_invoice_id, payment_reversal_id) = 1);
create index on account_credit (payment_reversal_id);

-- What the card provider reported that someone has to look at: money that went back, a dispute, money in a currency that the invoice isn't in. A task until it is done.
create table provider_report (
  provider_report_id bigint generated always as identity primary key,
  -- How the provider names the event: reported again, it is the same.
  event_id     text not null unique,
  kind         text not null check (kind in ('refunded', 'disputed', 'dispute-won', 'dispute-lost', 'wrong-currency', 'unknown-checkout')),
  -- How the provider names the payment; that of the payment here, if it is known.
  payment      text not null,
  payment_id   bigint references payment,
  currency     text not null,
  amount       numeric(14, 2) not null,
  reported_at  timestamptz not null,
  resolved_by  text references login,
  resolved_at  timestamptz,
  note         text not null default '',
  check ((resolved_by is null) = (resolved_at is null))
);
create index on provider_report (payment_id);
create index on provider_report (resolved_by);
create index provider_report_open on provider_report (provider_report_id) where resolved_at is null;
call keep_history('provider_report');
