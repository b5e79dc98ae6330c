-- What a member keeps of a customer for itself. Assignments name the customer; one that is only named there needs no row.
create table customer (
  account_name text not null references account,
  customer     text not null check (length(customer) between 1 and 200),
  address      text not null default '',
  economy      text check (economy ~ '^[A-Z]{2}$'),
  contact_name text not null default '',
  phone        text not null default '',
  email        text not null default '',
  remarks      text not null default '',
  -- How new assignments to it are registered unless one says otherwise.
  visibility   text not null check (visibility in ('public', 'private')),
  updated_at   timestamptz not null,
  primary key (account_name, customer)
);
call keep_history('customer');
