-- What suspended accounts have in RPKI, until the day on which the registry profile lets it go. The publisher writes a row when an account with an authority is
-- suspended, and takes it away when the account is open again; a change of the profile moves no day that a member was told.
create table rpki_suspension (
  account_name text primary key references account,
  noticed_at   timestamptz not null,
  -- In the registry's time zone, and its first instant; null while nothing is withdrawn.
  withdraws_on date,
  withdraws_at timestamptz,
  withdrawn_at timestamptz,
  check ((withdraws_on is null) = (withdraws_at is null)),
  check (withdrawn_at >= withdraws_at)
);
create index on rpki_suspension (withdraws_at) where withdrawn_at is null;
-- Those that are suspended already were withdrawn when they were.
insert into rpki_suspension select a.account_name, now(), current_date, now(), now() from account a where a.account_status = 'suspended'
  and (exists (select from rpki_ca c where c.account_name = a.account_name and c.state = 'active')
    or exists (select from rpki_child d where d.account_name = a.account_name and d.state = 'active'));
call keep_history('rpki_suspension');
