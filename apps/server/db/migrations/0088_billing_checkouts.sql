-- Payments at a provider's hosted checkout.

alter table payment drop constraint payment_method_check;
alter table payment add constraint payment_method_check check (method in ('bank transfer', 'credit', 'card'));
-- The provider names each payment once.
create unique index payment_online_once on payment (reference) where method = 'card';

create table checkout (
  checkout_id bigint generated always as identity primary key,
  account_name text not null references account,
  invoice_id  bigint not null references invoice,
  currency    text not null,
  amount      numeric(14, 2) not null check (amount > 0),
  -- `STARTING`: the provider has not answered yet. One that expired or failed here may be paid there all the same: then it is paid.
  state       text not null default 'STARTING' check (state in ('STARTING', 'OPEN', 'PAID', 'EXPIRED', 'FAILED')),
  provider    text not null,
  -- Its name at the provider, and the page on which people pay.
  provider_id text unique,
  page        text,
  started_by  text not null references login,
  started_at  timestamptz not null,
  ended_at    timestamptz,
  check ((state in ('STARTING', 'OPEN')) = (ended_at is null))
);
-- Two clicks on Pay lead to one page.
create unique index checkout_open on checkout (invoice_id) where state in ('STARTING', 'OPEN');
create index on checkout (invoice_id);
create index on checkout (account_name);
create index on checkout (started_by);
call keep_history('checkout');
