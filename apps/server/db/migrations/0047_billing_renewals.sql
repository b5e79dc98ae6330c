-- Renewals before their day: quotes for the purchasing department of a member, and invoices that a member asked for in advance.

-- What the renewal would cost with the holdings of a day. Never payable and never changed.
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
  requested_by     text not null references login,
  unique (year, sequence)
);
create index on renewal_quote (account_name, term_end);
create index on renewal_quote (requested_by);
call keep_history('renewal_quote');

-- The invoice of the next term is issued on this day instead of the day after the term ends: its holdings are those of that day.
create table advance_invoice (
  account_name text not null references account,
  term_end     date not null,
  requested_on     date not null,
  requested_by     text not null references login,
  primary key (account_name, term_end)
);
create index on advance_invoice (requested_by);
call keep_history('advance_invoice');
