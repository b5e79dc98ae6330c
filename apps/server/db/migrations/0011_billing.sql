-- What a membership costs, what was billed and paid, and what the clock of memberships did.

-- Fees as they were announced, never computed from one another. Of an account's kind the latest row that is valid on the first day of the term counts.
create table fee_schedule (
  -- `member-2026`
  fee_schedule_id  text primary key,
  account_kind     text not null check (account_kind in ('member', 'non-member')),
  valid_from       date not null,
  base_fee         numeric(12, 2) not null check (base_fee > 0),
  bit_factor       numeric(6, 4) not null check (bit_factor >= 1),
  associate_fee    numeric(12, 2) not null,
  nir_multiplier   numeric(4, 2) not null check (nir_multiplier >= 1),
  -- What is left of the address fee in a least developed country.
  ldc_share        numeric(4, 2) not null check (ldc_share between 0 and 1),
  asn_fee          numeric(12, 2) not null,
  free_asns        integer not null,
  sign_up_fee      numeric(12, 2) not null,
  count_historical boolean not null,
  -- The first /48 of IPv6 that was assigned counts for nothing.
  first_pi48_free  boolean not null,
  unique (account_kind, valid_from)
);
insert into fee_schedule select kind || '-' || extract(year from valid_from::date), kind, valid_from::date, base, factor, associate, 2.9, 0.5, asn, 2, 500,
    valid_from < '2023', valid_from >= '2023'
  from (values
    ('member', '2010-01-01', 1180, 1.300, 675, 0), ('non-member', '2010-01-01', 1357, 1.300, 675, 0),
    ('member', '2015-01-01', 1050, 1.308, 500, 0), ('non-member', '2015-01-01', 1200, 1.308, 500, 0),
    ('member', '2020-01-01', 1180, 1.300, 500, 0), ('non-member', '2020-01-01', 1357, 1.300, 500, 0),
    ('member', '2023-01-01', 1180, 1.310, 500, 0), ('non-member', '2023-01-01', 1357, 1.310, 500, 0),
    ('member', '2025-01-01', 1236, 1.315, 500, 100), ('non-member', '2025-01-01', 1421, 1.315, 500, 100),
    ('member', '2026-01-01', 1295, 1.320, 500, 100), ('non-member', '2026-01-01', 1488, 1.320, 500, 100),
    ('member', '2027-01-01', 1356, 1.325, 500, 100), ('non-member', '2027-01-01', 1559, 1.325, 500, 100)
  ) as announced (kind, valid_from, base, factor, associate, asn);
call keep_history('fee_schedule');

-- The UN's list of least developed countries, of the registry's region, with the days from which and until which each is on it.
create table ldc_economy (
  economy    text not null check (economy ~ '^[A-Z]{2}$'),
  from_day   date not null,
  -- The first day it is no longer on the list.
  until_day  date check (until_day > from_day),
  primary key (economy, from_day)
);
insert into ldc_economy values
  ('AF', '1971-11-18', null), ('BD', '1975-12-12', '2026-11-24'), ('BT', '1971-11-18', '2023-12-13'), ('KH', '1991-12-16', null),
  ('KI', '1986-12-05', null), ('LA', '1971-11-18', '2026-11-24'), ('MM', '1987-12-11', null), ('MV', '1971-11-18', '2011-01-01'),
  ('NP', '1971-11-18', '2026-11-24'), ('WS', '1971-11-18', '2014-01-01'), ('SB', '1991-12-16', '2027-12-13'), ('TL', '2003-12-23', null),
  ('TV', '1986-12-05', null), ('VU', '1985-12-09', '2020-12-04');
call keep_history('ldc_economy');

-- From when on memberships are billed: terms that ended before are nobody's debt to this program. No row: the clock stands still.
create table billing_start (
  only_one  boolean primary key default true check (only_one),
  -- Terms that end on this day or later.
  first_end date not null,
  begun_at  timestamptz not null
);
call keep_history('billing_start');

create table invoice (
  invoice_id      bigint generated always as identity primary key,
  -- `INV-2026-000001`: the year of the issue, and a number without gaps in it.
  number          text not null unique check (number = 'INV-' || year || '-' || lpad(sequence::text, 6, '0')),
  year            integer not null,
  sequence        integer not null check (sequence > 0),
  account_name    text not null references account,
  kind            text not null check (kind in ('RENEWAL')),
  -- Days of the registry's time zone.
  issued_on       date not null,
  due_on          date not null,
  period_from     date not null,
  period_to       date not null check (period_to >= period_from),
  currency        text not null,
  -- What was true when it was issued stays on it.
  org_name        text not null,
  economy         text,
  billing_address text[] not null,
  attention       text not null,
  tax_number      text not null,
  po_number       text not null,
  fee_schedule_id text not null references fee_schedule,
  ipv4            numeric(39) not null,
  -- Blocks of a /56.
  ipv6            numeric(39) not null,
  asns            integer not null,
  subtotal        numeric(14, 2) not null,
  -- `0.10`, of which tax; null where none applies.
  tax_rate        numeric(5, 4),
  tax             numeric(14, 2) not null,
  total           numeric(14, 2) not null check (total = subtotal + tax),
  state           text not null default 'ISSUED' check (state in ('ISSUED', 'PARTIALLY_PAID', 'PAID', 'CANCELLED')),
  paid            numeric(14, 2) not null default 0 check (paid between 0 and total),
  paid_on         date,
  -- Suspension and the closing of the account wait until this day; the invoice is due when it was.
  extended_until  date,
  cancelled_at    timestamptz,
  cancel_reason   text,
  -- The PDF as it was issued.
  sha256          text not null references stored_file,
  unique (year, sequence),
  check ((state = 'PAID') = (paid = total and paid_on is not null)),
  check (state <> 'PARTIALLY_PAID' or paid > 0),
  check ((state = 'CANCELLED') = (cancelled_at is not null and cancel_reason is not null))
);
create index on invoice (account_name, issued_on desc);
create index on invoice (fee_schedule_id);
create index on invoice (sha256);
-- One renewal of a term that counts.
create unique index invoice_of_term on invoice (account_name, period_from) where kind = 'RENEWAL' and state <> 'CANCELLED';
call keep_history('invoice');

create table invoice_line (
  invoice_id  bigint not null references invoice,
  position    integer not null,
  description text not null,
  quantity    integer not null check (quantity > 0),
  unit_price  numeric(14, 2) not null,
  amount      numeric(14, 2) not null check (amount = quantity * unit_price),
  primary key (invoice_id, position)
);
call keep_history('invoice_line');

-- What came in for an invoice. Never changed.
create table payment (
  payment_id   bigint generated always as identity primary key,
  account_name text not null references account,
  invoice_id   bigint not null references invoice,
  method       text not null check (method in ('bank transfer', 'credit')),
  -- All that came in; of a transfer that is too large the rest becomes credit.
  amount       numeric(14, 2) not null check (amount > 0),
  received_on  date not null,
  -- How the bank names the transfer: the same one is recorded once.
  reference    text not null,
  recorded_by  text references login,
  recorded_at  timestamptz not null,
  check ((method = 'bank transfer') = (recorded_by is not null))
);
create unique index payment_once on payment (lower(reference)) where method = 'bank transfer';
create index on payment (invoice_id);
create index on payment (account_name);
create index on payment (recorded_by);
call keep_history('payment');

-- Money of members that no invoice has used: a line for each rise and fall.
create table account_credit (
  account_credit_id bigint generated always as identity primary key,
  account_name text not null references account,
  amount       numeric(14, 2) not null check (amount <> 0),
  payment_id   bigint not null references payment,
  at           timestamptz not null
);
create index on account_credit (account_name);
create index on account_credit (payment_id);
call keep_history('account_credit');

-- What the clock did for the term of an account that ends on a day: each step once.
create table billing_step (
  account_name text not null references account,
  term_end     date not null,
  step         text not null check (step in ('reminder', 'holdings', 'invoice', 'suspension', 'second-reminder', 'closing-warning', 'closing')),
  -- The day it belongs to, which may be long before the clock got to it.
  day          date not null,
  done_at      timestamptz not null,
  -- Of the step `holdings`, what was held when that day began.
  ipv4         numeric(39),
  ipv6         numeric(39),
  asns         integer,
  primary key (account_name, term_end, step),
  check ((step = 'holdings') = (ipv4 is not null and ipv6 is not null and asns is not null))
);
call keep_history('billing_step');
