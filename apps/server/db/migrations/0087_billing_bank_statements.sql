-- Bank statement files, and the money that came in according to them.

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
  state        text not null default 'OPEN' check (state in ('OPEN', 'RECORDED', 'SET_ASIDE')),
  resolved_by  text references login,
  resolved_at  timestamptz,
  -- Why it was set aside.
  note         text not null default '',
  check ((state = 'OPEN') = (resolved_by is null)),
  check ((state = 'OPEN') = (resolved_at is null))
);
create index on bank_line (bank_statement_id);
create index on bank_line (resolved_by);
create index bank_line_of_state on bank_line (state, booked_on desc, bank_line_id desc);
call keep_history('bank_line');

-- Payments that were recorded from a line; one for each invoice it paid.
alter table payment add column bank_line_id bigint references bank_line;
create index on payment (bank_line_id);
