-- Accounts with files that are left out of publication or that validators refuse: since when, and since when that is over. Their people got one mail when it began.
create table rpki_left_out (
  account_name text primary key references account,
  begun_at     timestamptz not null,
  over_at      timestamptz
);
call keep_history('rpki_left_out');
