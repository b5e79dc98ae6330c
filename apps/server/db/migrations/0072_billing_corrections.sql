-- Credit notes, refunds and debts that are given up. An invoice that was issued is never edited: these stand beside it.

alter table invoice add column credited numeric(14, 2) not null default 0 check (credited >= 0);
alter table invoice add column written_off numeric(14, 2) not null default 0 check (written_off >= 0);
alter table invoice add column written_off_on date;
alter table invoice add column write_off_reason text;
alter table invoice drop constraint invoice_state_check;
alter table invoice add constraint invoice_state_check check (state in ('ISSUED', 'PARTIALLY_PAID', 'PAID', 'CANCELLED', 'WRITTEN_OFF'));
alter table invoice drop constraint invoice_check4;
alter table invoice add constraint invoice_is_paid check ((state = 'PAID') = (paid + credited = total and paid_on is not null));
alter table invoice add constraint invoice_is_not_exceeded check (paid + credited + written_off <= total);
alter table invoice add constraint invoice_is_written_off
  check ((state = 'WRITTEN_OFF') = (written_off > 0 and paid + credited + written_off = total and written_off_on is not null and write_off_reason is not null));

-- Takes back all or a part of what an invoice charged. Never changed.
create table credit_note (
  credit_note_id bigint generated always as identity primary key,
  -- `CN-2026-000001`: the year of the issue, and a number without gaps in it.
  number       text not null unique check (number = 'CN-' || year || '-' || lpad(sequence::text, 6, '0')),
  year         integer not null,
  sequence     integer not null check (sequence > 0),
  account_name text not null references account,
  invoice_id   bigint not null references invoice,
  issued_on    date not null,
  subtotal     numeric(14, 2) not null check (subtotal >= 0),
  tax          numeric(14, 2) not null check (tax >= 0),
  total        numeric(14, 2) not null check (total > 0 and total = subtotal + tax),
  reason       text not null,
  issued_by    text not null references login,
  issued_at    timestamptz not null,
  unique (year, sequence)
);
create index on credit_note (invoice_id);
create index on credit_note (account_name);
create index on credit_note (issued_by);
call keep_history('credit_note');

-- Credit of an account that was paid back by bank transfer. Never changed.
create table refund (
  refund_id    bigint generated always as identity primary key,
  account_name text not null references account,
  currency     text not null,
  amount       numeric(14, 2) not null check (amount > 0),
  refunded_on  date not null,
  -- How the bank names the transfer: the same one is recorded once.
  reference    text not null,
  reason       text not null,
  recorded_by  text not null references login,
  recorded_at  timestamptz not null
);
create unique index refund_once on refund (transfer_key(reference));
create index on refund (account_name);
create index on refund (recorded_by);
call keep_history('refund');

-- Credit rises with what was paid too much or is freed by a credit note, and falls when an invoice uses it or it is paid back.
alter table account_credit alter column payment_id drop not null;
alter table account_credit add column credit_note_id bigint references credit_note;
alter table account_credit add column refund_id bigint references refund;
alter table account_credit add constraint account_credit_of_one check (num_nonnulls(payment_id, credit_note_id, refund_id) = 1);
create index on account_credit (credit_note_id);
create index on account_credit (refund_id);
