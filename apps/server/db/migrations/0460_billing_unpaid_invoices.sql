-- What accounts owe, in the list of all of them.
create index concurrently invoice_unpaid on invoice (account_name) include (currency, due_on, total, paid, credited, written_off) where state in ('issued', 'partly-paid');
