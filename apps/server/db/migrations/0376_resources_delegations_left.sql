-- Which delegations an account once held, for its time line: those that changed their holder, which are few among all changes.
create index row_change_delegation_left on row_change ((before ->> 'account_name'))
  where table_name = 'delegation' and before ->> 'account_name' <> after ->> 'account_name';
