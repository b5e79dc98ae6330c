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
