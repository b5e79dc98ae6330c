-- Invoices of several accounts that one person pays together: one reference for a transfer, one checkout.

create table joint_payment (
  joint_payment_id bigint generated always as identity primary key,
  -- `PAY-2026-000001`: what the payer quotes. A number may be left unused, so these have gaps where one was discarded.
  number       text not null unique check (number = 'PAY-' || year || '-' || lpad(sequence::text, 6, '0')),
  year         integer not null,
  sequence     integer not null check (sequence > 0),
  currency     text not null,
  requested_by text not null references login,
  requested_on date not null,
  -- It is no longer listed. A transfer that quotes it is matched all the same.
  discarded_at timestamptz,
  unique (year, sequence)
);
create index on joint_payment (requested_by);
call keep_history('joint_payment');

create table joint_payment_invoice (
  joint_payment_id bigint not null references joint_payment,
  invoice_id       bigint not null references invoice,
  primary key (joint_payment_id, invoice_id)
);
create index on joint_payment_invoice (invoice_id);
call keep_history('joint_payment_invoice');

-- A checkout is for one invoice of an account, or for those of a joint payment.
alter table checkout alter column account_name drop not null;
alter table checkout alter column invoice_id drop not null;
alter table checkout add column joint_payment_id bigint references joint_payment;
alter table checkout add check ((invoice_id is null) = (account_name is null) and (invoice_id is null) = (joint_payment_id is not null));
create unique index checkout_joint_open on checkout (joint_payment_id) where state in ('STARTING', 'OPEN');
create index on checkout (joint_payment_id);

-- What each invoice of a joint checkout gets.
create table checkout_part (
  checkout_id bigint not null references checkout,
  invoice_id  bigint not null references invoice,
  amount      numeric(14, 2) not null check (amount > 0),
  received_at timestamptz,
  primary key (checkout_id, invoice_id)
);
create index on checkout_part (invoice_id);
call keep_history('checkout_part');
