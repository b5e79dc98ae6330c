-- Fees that are paid once, beside those of transfers: signing up, and opening a closed account again.

alter table invoice drop constraint invoice_kind_check;
alter table invoice add constraint invoice_kind_check check (kind in ('RENEWAL', 'TRANSFER', 'REACTIVATION', 'SIGN_UP'));
-- One invoice opens a new account.
create unique index invoice_of_sign_up on invoice (account_name) where kind = 'SIGN_UP' and state <> 'CANCELLED';

alter table transfer_fee add column kind text not null default 'TRANSFER' check (kind in ('TRANSFER', 'REACTIVATION'));

-- A closed account that opens again when its fee and everything it owes are paid.
create table reactivation (
  reactivation_id bigint generated always as identity primary key,
  account_name text not null references account,
  -- Days of the registry's time zone: when staff began it, and the last day to pay.
  begun_on     date not null,
  pay_by       date not null check (pay_by >= begun_on),
  reason       text not null,
  fee_waived   boolean not null,
  begun_by     text not null references login,
  -- The account was opened.
  completed_at timestamptz,
  -- It was not paid in time, or staff ended it; the account stays closed.
  ended_at     timestamptz,
  end_reason   text,
  check (completed_at is null or ended_at is null),
  check ((ended_at is null) = (end_reason is null))
);
create unique index reactivation_open on reactivation (account_name) where completed_at is null and ended_at is null;
create index on reactivation (account_name);
create index on reactivation (begun_by);
call keep_history('reactivation');
