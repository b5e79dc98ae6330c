-- What a membership costs, what was billed and paid, and what the clock of memberships did.

-- Fees as the registry announced them, never computed from one another, and never changed: of an account's kind the row with the first day of the term counts. Without one the term is
-- not billed. Fees that have not begun can be withdrawn.
create table fee_schedule (
  -- `member-2026`, or with the day where that is not the first of the year
  fee_schedule_id  text primary key,
  account_kind     text not null check (account_kind in ('member', 'non-member')),
  -- The first and the last day on which terms begin that they are for.
  valid_from       date not null,
  valid_until      date not null check (valid_until >= valid_from),
  -- The day of the registry's time zone. A term that had ended by then is billed as if it ended on this day.
  announced_on     date not null,
  base_fee         numeric(12, 2) not null check (base_fee > 0),
  bit_factor       numeric(7, 4) not null check (bit_factor >= 1),
  -- The largest prefixes that cost the base fee.
  ipv4_base        smallint not null check (ipv4_base between 8 and 32),
  ipv6_base        smallint not null check (ipv6_base between 12 and 56),
  associate_fee    numeric(12, 2) not null check (associate_fee >= 0),
  nir_multiplier   numeric(6, 2) not null check (nir_multiplier >= 1),
  -- What is left of the address fee in a least developed country.
  ldc_share        numeric(5, 4) not null check (ldc_share between 0 and 1),
  asn_fee          numeric(12, 2) not null check (asn_fee >= 0),
  free_asns        integer not null check (free_asns >= 0),
  sign_up_fee      numeric(12, 2) not null check (sign_up_fee >= 0),
  count_historical boolean not null,
  -- The first /48 of IPv6 that was assigned counts for nothing.
  first_pi48_free  boolean not null,
  unique (account_kind, valid_from),
  constraint fee_schedule_of_members_once exclude using gist (daterange(valid_from, valid_until, '[]') with &&) where (account_kind = 'member'),
  constraint fee_schedule_of_non_members_once exclude using gist (daterange(valid_from, valid_until, '[]') with &&) where (account_kind = 'non-member')
);
create function refuse_change_of_fees() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    raise exception 'Announced fees are never changed: announce others for another time' using errcode = 'restrict_violation';
  -- Where the registry's day begins last; the program knows the day of its own zone.
  elsif old.valid_from <= (now() at time zone 'Etc/GMT+12')::date then
    raise exception 'The fees from % have begun, and can no longer be withdrawn', old.valid_from using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
create trigger refuse_change_of_fees before update or delete on fee_schedule for each row execute function refuse_change_of_fees();
call keep_history('fee_schedule');

-- Fees that a person of the staff prepared, to see what they do to every bill before a second person approves them.
create table fee_draft (
  fee_draft_id bigint generated always as identity primary key,
  -- As `FeeAnnouncement` of the contract.
  announcement jsonb not null,
  prepared_by  text not null references login,
  prepared_at  timestamptz not null,
  -- Announced or discarded.
  ended_at     timestamptz
);
create index on fee_draft (prepared_by);
call keep_history('fee_draft');

-- From when on memberships are billed: terms that ended before are nobody's debt to this program. No row: the clock stands still.
create table billing_start (
  only_one  boolean primary key default true check (only_one),
  -- Terms that end on this day or later.
  first_end date not null,
  begun_at  timestamptz not null
);
call keep_history('billing_start');

-- What one person of the registry may do alone, as it was from some time on: the profile is a file, and this says what counted when.
create table limit_in_force (
  limit_in_force_id bigint generated always as identity primary key,
  name     text not null check (name in ('received', 'given', 'time', 'endings', 'holidays')),
  -- Money in the currency of the registry, days or accounts. Null where nothing is counted for an account.
  account  numeric(14, 2),
  person   numeric(14, 2) not null,
  everyone numeric(14, 2) not null,
  -- How many days count together.
  days     integer not null check (days > 0),
  since    timestamptz not null
);
create index on limit_in_force (name, limit_in_force_id);
call keep_history('limit_in_force');

-- What a person of the registry did that is limited: how much of it, when the server recorded it, and who approved it. Never changed.
create table limited_act (
  limited_act_id bigint generated always as identity primary key,
  name          text not null check (name in ('received', 'given', 'time', 'endings', 'holidays')),
  account_name  text references account,
  amount        numeric(14, 2) not null check (amount > 0),
  made_by       text not null references login,
  -- Null where one person did it alone.
  second_person text references login check (second_person <> made_by),
  -- By the clock of the server, whatever day the act was given.
  made_at       timestamptz not null,
  -- The line of the activity log.
  activity_id   bigint not null
);
create index on limited_act (account_name, name, made_at);
create index on limited_act (made_by, name, made_at);
create index on limited_act (second_person);
create index on limited_act (name, made_at);
call keep_history('limited_act');

create function refuse_change_of_limited_acts() returns trigger language plpgsql as $$
begin
  raise exception 'What was done under a limit stays: % is refused', lower(tg_op) using errcode = 'restrict_violation';
end $$;
create trigger refuse_change_of_limited_acts before update or delete on limited_act for each row execute function refuse_change_of_limited_acts();
create trigger refuse_change_of_limits before update or delete on limit_in_force for each row execute function refuse_change_of_limited_acts();

create table invoice (
  invoice_id      bigint generated always as identity primary key,
  -- `INV-2026-000001`: the year of the issue, and a number without gaps in it.
  number          text not null unique check (number = 'INV-' || year || '-' || lpad(sequence::text, 6, '0')),
  year            integer not null,
  sequence        integer not null check (sequence > 0),
  account_name    text not null references account,
  kind            text not null check (kind in ('renewal', 'transfer', 'reactivation', 'sign-up')),
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
  -- Of a term; other fees are not by a schedule.
  fee_schedule_id text references fee_schedule,
  ipv4            numeric(39) not null,
  -- Blocks of a /56.
  ipv6            numeric(39) not null,
  asns            integer not null,
  subtotal        numeric(14, 2) not null,
  -- `0.10`, of which tax; null where none applies.
  tax_rate        numeric(5, 4),
  tax             numeric(14, 2) not null,
  total           numeric(14, 2) not null check (total = subtotal + tax),
  state           text not null default 'issued' check (state in ('issued', 'partly-paid', 'paid', 'cancelled', 'written-off')),
  paid            numeric(14, 2) not null default 0 check (paid between 0 and total),
  paid_on         date,
  -- An invoice that was issued is never edited: credit notes stand beside it, and debts are given up.
  credited        numeric(14, 2) not null default 0 check (credited >= 0),
  written_off     numeric(14, 2) not null default 0 check (written_off >= 0),
  written_off_on  date,
  write_off_reason text,
  -- Suspension and the closing of the account wait until this day; the invoice is due when it was.
  extended_until  date,
  cancelled_at    timestamptz,
  cancel_reason   text,
  -- The PDF as it was issued.
  sha256          text not null references stored_file,
  -- The write-off was counted under a limit.
  write_off_act_id bigint unique references limited_act,
  unique (year, sequence),
  constraint invoice_is_paid check ((state = 'paid') = (paid + credited = total and paid_on is not null)),
  constraint invoice_is_not_exceeded check (paid + credited + written_off <= total),
  constraint invoice_is_written_off
    check ((state = 'written-off') = (written_off > 0 and paid + credited + written_off = total and written_off_on is not null and write_off_reason is not null)),
  constraint write_off_is_counted check ((state = 'written-off') = (write_off_act_id is not null)),
  check ((kind in ('renewal', 'sign-up')) = (fee_schedule_id is not null)),
  check (state <> 'partly-paid' or paid > 0),
  check ((state = 'cancelled') = (cancelled_at is not null and cancel_reason is not null))
);
create index on invoice (account_name, issued_on desc);
create index on invoice (fee_schedule_id);
create index on invoice (sha256);
create index invoice_due_on on invoice (due_on);
-- One renewal of a term that counts.
create unique index invoice_of_term on invoice (account_name, period_from) where kind = 'renewal' and state <> 'cancelled';
-- One invoice opens a new account.
create unique index invoice_of_sign_up on invoice (account_name) where kind = 'sign-up' and state <> 'cancelled';
call keep_history('invoice');
call follow_life('invoice', 'state', 'issued>cancelled issued>paid issued>partly-paid issued>written-off paid>cancelled paid>issued paid>partly-paid partly-paid>cancelled
  partly-paid>issued partly-paid>paid partly-paid>written-off');

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
  limited_act_id bigint not null unique references limited_act,
  unique (year, sequence)
);
create index on credit_note (invoice_id);
create index on credit_note (account_name);
create index on credit_note (issued_by);
call keep_history('credit_note');

-- A bank statement file that was imported; the money that came in according to it are its lines.
create table bank_statement (
  bank_statement_id bigint generated always as identity primary key,
  file_name   text not null,
  format      text not null check (format in ('CAMT.053', 'CSV')),
  -- IBAN or number of the registry's account, where the file names it.
  bank_account text not null,
  imported_by text not null references login,
  imported_at timestamptz not null,
  -- Incoming lines that no earlier file had.
  added       integer not null check (added > 0)
);
create index on bank_statement (imported_by);
call keep_history('bank_statement');

-- An incoming transfer. Its facts never change.
create table bank_line (
  bank_line_id bigint generated always as identity primary key,
  bank_statement_id bigint not null references bank_statement,
  -- SHA-256 of its facts and its place among equal ones of its day: a file that is imported twice adds nothing.
  fingerprint  text not null unique,
  booked_on    date not null,
  currency     text not null,
  amount       numeric(14, 2) not null check (amount > 0),
  payer        text not null,
  -- What the payer wrote.
  remittance   text not null,
  -- How the bank names the transfer; payments are recorded with it.
  reference    text not null,
  state        text not null default 'open' check (state in ('open', 'recorded', 'set-aside')),
  resolved_by  text references login,
  resolved_at  timestamptz,
  -- Why it was set aside.
  note         text not null default '',
  check ((state = 'open') = (resolved_by is null)),
  check ((state = 'open') = (resolved_at is null))
);
create index on bank_line (bank_statement_id);
create index on bank_line (resolved_by);
create index bank_line_of_state on bank_line (state, booked_on desc, bank_line_id desc);
-- Who paid before, for which accounts.
create index bank_line_of_payer on bank_line (payer) where state = 'recorded';
call keep_history('bank_line');
-- A match with the wrong invoice is undone: its payments are reversed, and the transfer is matched again.
call follow_life('bank_line', 'state', 'open>recorded open>set-aside recorded>open set-aside>open');

-- One transfer is recorded once, however its reference was typed. What makes two references the same: capital letters and digits without spaces,
-- dashes and other signs, full-width and accented forms as plain ones, and Cyrillic and Greek letters that look like Latin ones as those.
create function transfer_key(reference text) returns text language sql immutable strict parallel safe
  return coalesce(nullif(translate(upper((regexp_replace(normalize(reference, NFKD),
      '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u02b0-\u036f\u2000-\u206f\u2212\u2500-\u257f\u2e00-\u2e7f\u3000-\u303f\u30fb\u30fc\ufe00-\ufe0f\ufeff]',
      '', 'g')) collate "C"),
    'АВЕІЈКМНОРСЅТУХҮавеіјкмнорсѕтухүΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεζηικμνορτυχı٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯',
    'ABEIJKMHOPCSTYXYABEIJKMHOPCSTYXYABEZHIKMNOPTYXABEZHIKMNOPTYXI0123456789012345678901234567890123456789'), ''), lower(reference));

-- What makes two references look the same: letters and digits that are easily confused are one.
create function transfer_skeleton(reference text) returns text language sql immutable strict parallel safe
  return translate(transfer_key(reference), 'OQILSBZ', '0011582');
create index bank_line_alike on bank_line (transfer_skeleton(reference)) where reference <> '';

-- What came in for an invoice. Never changed.
create table payment (
  payment_id   bigint generated always as identity primary key,
  account_name text not null references account,
  invoice_id   bigint not null references invoice,
  method       text not null check (method in ('bank transfer', 'credit', 'card')),
  -- All that came in; of a transfer that is too large the rest becomes credit.
  amount       numeric(14, 2) not null check (amount > 0),
  received_on  date not null,
  -- How the bank names the transfer.
  reference    text not null,
  -- The line it was recorded from; one payment for each invoice the line paid.
  bank_line_id bigint references bank_line,
  recorded_by  text references login,
  recorded_at  timestamptz not null,
  -- A payment that a person recorded was counted under a limit; one act counts for one of what is counted.
  limited_act_id bigint unique references limited_act,
  -- What payers write is no name of a transfer: the same words twice are two payments, of which the second was asked about. A payment with the reference of an earlier one
  -- says which it repeats: one that a second person found to be another transfer, or that was reversed.
  repeats      bigint unique references payment check (repeats < payment_id),
  check ((method = 'bank transfer') = (recorded_by is not null)),
  constraint payment_is_counted check ((method = 'bank transfer') = (limited_act_id is not null))
);
create unique index payment_once on payment (lower(reference)) where method = 'bank transfer' and repeats is null;
create index payment_alike on payment (transfer_skeleton(reference)) where method = 'bank transfer';
-- Transfers of the same amount in the same days are compared.
create index payment_of_amount on payment (amount, received_on) where method = 'bank transfer';
create index payment_received_on on payment (received_on);
-- The provider names each payment once.
create unique index payment_online_once on payment (reference) where method = 'card';
create index on payment (invoice_id);
create index on payment (account_name);
create index on payment (bank_line_id);
create index on payment (recorded_by);
call keep_history('payment');

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
  recorded_at  timestamptz not null,
  limited_act_id bigint not null unique references limited_act
);
create unique index refund_once on refund (transfer_key(reference));
create index on refund (account_name);
create index on refund (recorded_by);
call keep_history('refund');

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
  -- `unmatched`: a match of a bank line that was undone, which is matched again.
  kind         text not null check (kind in ('wrong-invoice', 'bounced', 'recalled', 'chargeback', 'card-refund', 'unmatched')),
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

-- Money of members that no invoice has used: a line for each rise and fall. It rises with what was paid too much, is freed by a credit note or was
-- paid of an invoice that is cancelled, and falls when an invoice uses it or it is paid back.
create table account_credit (
  account_credit_id bigint generated always as identity primary key,
  account_name text not null references account,
  amount       numeric(14, 2) not null check (amount <> 0),
  payment_id   bigint references payment,
  credit_note_id bigint references credit_note,
  refund_id    bigint references refund,
  -- What was paid of a cancelled invoice is credit because of the cancellation, not of one of its payments: those may have come from credit too.
  cancelled_invoice_id bigint references invoice,
  at           timestamptz not null,
  -- It falls with a payment that had become credit and is reversed.
  payment_reversal_id bigint references payment_reversal,
  constraint account_credit_of_one check (num_nonnulls(payment_id, credit_note_id, refund_id, cancelled_invoice_id, payment_reversal_id) = 1)
);
create index on account_credit (account_name);
create index on account_credit (payment_id);
create index on account_credit (credit_note_id);
create index on account_credit (refund_id);
create index on account_credit (cancelled_invoice_id);
create index on account_credit (payment_reversal_id);
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

-- Suspensions and closures that wait for registry staff: the clock of memberships stood still for too long, or would end many memberships at once.
-- While a hold is open the clock goes on with everything but suspensions and closures.
create table billing_hold (
  billing_hold_id bigint generated always as identity primary key,
  -- The day of the registry's time zone on which it began.
  since       date not null,
  -- `first-run`: the clock never ran before; `outage`: it did not run for days; `many`: more memberships would have ended on one day than the profile allows.
  reason      text not null check (reason in ('first-run', 'outage', 'many')),
  -- The last day on which the clock ran; none where it never did.
  last_run    date,
  -- Suspensions and closures that were due when it began.
  due         integer not null check (due > 0),
  opened_at   timestamptz not null,
  released_at timestamptz,
  released_by text references login,
  check ((released_at is null) = (released_by is null))
);
create unique index billing_hold_open on billing_hold ((true)) where released_at is null;
create index on billing_hold (released_by);
call keep_history('billing_hold');

-- A quote for the purchasing department of a member: what the renewal would cost with the holdings of a day. Never payable and never changed.
create table renewal_quote (
  renewal_quote_id bigint generated always as identity primary key,
  -- `QUO-2026-000001`: the year it was written, and its number in it.
  number       text not null unique check (number = 'QUO-' || year || '-' || lpad(sequence::text, 6, '0')),
  year         integer not null,
  sequence     integer not null check (sequence > 0),
  account_name text not null references account,
  -- The last day of the term that the renewal follows; the quote is valid until then.
  term_end     date not null,
  issued_on    date not null,
  -- Everything the PDF says, in the shape of an invoice: the same bytes whenever it is printed.
  content      jsonb not null,
  requested_by text not null references login,
  unique (year, sequence)
);
create index on renewal_quote (account_name, term_end);
create index on renewal_quote (requested_by);
call keep_history('renewal_quote');

-- A member asked for it in advance: the invoice of the next term is issued on this day instead of the day after the term ends: its holdings are those of that day.
create table advance_invoice (
  account_name text not null references account,
  term_end     date not null,
  requested_on date not null,
  requested_by text not null references login,
  primary key (account_name, term_end)
);
create index on advance_invoice (requested_by);
call keep_history('advance_invoice');

-- A renewal whose invoice was cancelled, and that staff let the registry bill again. The invoice is issued within a minute.
create table renewal_again (
  renewal_again_id bigint generated always as identity primary key,
  account_name text not null references account,
  term_end     date not null,
  reason       text not null,
  requested_by text not null references login,
  requested_on date not null,
  invoice_id   bigint references invoice
);
create unique index renewal_again_open on renewal_again (account_name) where invoice_id is null;
create index on renewal_again (account_name);
create index on renewal_again (requested_by);
create index on renewal_again (invoice_id);
call keep_history('renewal_again');

-- A fee that is paid once, beside those of memberships: of a transfer or merger that waits for it, or for opening a closed account again. The clock of
-- billing makes its invoice within a minute.
create table transfer_fee (
  transfer_fee_id bigint generated always as identity primary key,
  kind         text not null default 'transfer' check (kind in ('transfer', 'reactivation')),
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
call keep_history('transfer_fee');

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

-- Payments at a provider's hosted checkout: for one invoice of an account, or for those of a joint payment.
create table checkout (
  checkout_id bigint generated always as identity primary key,
  account_name text references account,
  invoice_id  bigint references invoice,
  joint_payment_id bigint references joint_payment,
  currency    text not null,
  amount      numeric(14, 2) not null check (amount > 0),
  -- `starting`: the provider has not answered yet. One that expired or failed here may be paid there all the same: then it is paid.
  state       text not null default 'starting' check (state in ('starting', 'open', 'paid', 'expired', 'failed')),
  provider    text not null,
  -- Its name at the provider, and the page on which people pay.
  provider_id text unique,
  page        text,
  started_by  text not null references login,
  started_at  timestamptz not null,
  ended_at    timestamptz,
  check ((state in ('starting', 'open')) = (ended_at is null)),
  check ((invoice_id is null) = (account_name is null) and (invoice_id is null) = (joint_payment_id is not null))
);
-- Two clicks on Pay lead to one page.
create unique index checkout_open on checkout (invoice_id) where state in ('starting', 'open');
create unique index checkout_joint_open on checkout (joint_payment_id) where state in ('starting', 'open');
create index on checkout (invoice_id);
create index on checkout (account_name);
create index on checkout (joint_payment_id);
create index on checkout (started_by);
call keep_history('checkout');
call follow_life('checkout', 'state', 'expired>paid failed>paid open>expired open>failed open>paid starting>expired starting>failed starting>open starting>paid');

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

-- Days on which no invoice is due and no account is suspended or closed: each moves to the next day that is none.
create table holiday (
  day      date primary key,
  name     text not null,
  added_by text not null references login,
  added_at timestamptz not null
);
create index on holiday (added_by);
call keep_history('holiday');

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

-- A month of the books that one person closed and another one confirmed: nothing is dated into it, and its journal stays as it was. Never changed.
create table closed_month (
  -- Its first day.
  month        date primary key check (month = date_trunc('month', month)::date),
  closed_by    text not null references login,
  confirmed_by text not null references login check (confirmed_by <> closed_by),
  closed_at    timestamptz not null,
  entries      integer not null check (entries >= 0),
  -- Every entry of the month, as CSV: an auditor gets the same bytes whenever they ask.
  journal      text not null,
  sha256       text not null check (sha256 = encode(sha256(convert_to(journal, 'UTF8')), 'hex'))
);
create index on closed_month (closed_by);
create index on closed_month (confirmed_by);
call keep_history('closed_month', secret_columns => '{journal}');

-- The first day that is not closed; null while none is.
create function first_open_day() returns date language sql stable
  return (select (max(month) + interval '1 month')::date from closed_month);

create function keep_months_closed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    raise exception 'A closed month stays closed: % is refused', lower(tg_op) using errcode = 'restrict_violation';
  elsif new.month <> coalesce(first_open_day(), new.month) then
    raise exception 'Months are closed one after the other: the next one begins on %', first_open_day() using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_months_closed before insert or update or delete on closed_month for each row execute function keep_months_closed();

create function refuse_closed(day date, first_open date) returns void language plpgsql as $$
begin
  raise exception 'PERIOD_CLOSED' using errcode = 'RF001',
    detail = json_build_object('period', trim(to_char(day, 'Month')) || to_char(day, ' YYYY'), 'open', first_open::text)::text;
end $$;

-- What is written here while a month is being closed waits until it is closed, and then finds it closed. The arguments are columns with days: none of them gets
-- or loses a day that is closed.
create function refuse_closed_days() returns trigger language plpgsql as $$
declare
  first_open date;
  was        date;
  becomes    date;
  name       text;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('billing.closedMonths', 0));
  first_open := first_open_day();
  if first_open is not null then
    foreach name in array tg_argv loop
      was := case when tg_op <> 'INSERT' then (to_jsonb(old) ->> name)::date end;
      becomes := case when tg_op <> 'DELETE' then (to_jsonb(new) ->> name)::date end;
      if was is distinct from becomes and least(was, becomes) < first_open then
        perform refuse_closed(least(was, becomes), first_open);
      end if;
    end loop;
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger refuse_closed_days before insert or update or delete on invoice
  for each row execute function refuse_closed_days('issued_on', 'written_off_on', 'cancelled_at');
create trigger refuse_closed_days before insert or update or delete on payment for each row execute function refuse_closed_days('received_on');
create trigger refuse_closed_days before insert or update or delete on credit_note for each row execute function refuse_closed_days('issued_on');
create trigger refuse_closed_days before insert or update or delete on refund for each row execute function refuse_closed_days('refunded_on');
create trigger refuse_closed_days before insert on payment_reversal for each row execute function refuse_closed_days('reversed_on');

-- Amounts of what is dated into a closed month. The argument is the column with the day.
create function refuse_closed_amounts() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('billing.closedMonths', 0));
  if (to_jsonb(old) ->> tg_argv[0])::date < first_open_day() then
    perform refuse_closed((to_jsonb(old) ->> tg_argv[0])::date, first_open_day());
  end if;
  return new;
end $$;
create trigger refuse_closed_amounts before update of number, account_name, currency, subtotal, tax, total on invoice
  for each row execute function refuse_closed_amounts('issued_on');
create trigger refuse_closed_write_off before update of written_off, write_off_reason on invoice
  for each row when (old.written_off_on is not null) execute function refuse_closed_amounts('written_off_on');
create trigger refuse_closed_amounts before update on payment for each row execute function refuse_closed_amounts('received_on');
create trigger refuse_closed_amounts before update on credit_note for each row execute function refuse_closed_amounts('issued_on');
create trigger refuse_closed_amounts before update on refund for each row execute function refuse_closed_amounts('refunded_on');

-- Credit belongs to the day of what it came from or was used for.
create function refuse_closed_credit() returns trigger language plpgsql as $$
declare
  credit account_credit := case when tg_op = 'DELETE' then old else new end;
  day    date;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('billing.closedMonths', 0));
  day := coalesce((select received_on from payment where payment_id = credit.payment_id), (select issued_on from credit_note where credit_note_id = credit.credit_note_id),
    (select refunded_on from refund where refund_id = credit.refund_id), (select cancelled_at::date from invoice where invoice_id = credit.cancelled_invoice_id));
  if day < first_open_day() then
    perform refuse_closed(day, first_open_day());
  end if;
  return credit;
end $$;
create trigger refuse_closed_credit before insert or update or delete on account_credit for each row execute function refuse_closed_credit();
