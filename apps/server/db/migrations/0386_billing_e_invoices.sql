-- E-invoices as they were issued: written in the change that issues the document, and never anew.
create table e_invoice (
  -- Of the invoice or the credit note.
  number             text primary key,
  -- The invoice, or the one that the note takes back.
  invoice_id         bigint not null references invoice,
  -- The payer's, with its scheme: `0151:51824753556`. Credit notes go where their invoice went, with its category of what isn't taxed.
  electronic_address text not null,
  untaxed_category   text not null,
  untaxed_reason     text not null,
  xml                text not null check (xml <> '')
);
create index on e_invoice (invoice_id);
call keep_history('e_invoice');
