-- Days on which no invoice is due and no account is suspended or closed: each moves to the next day that is none.
create table holiday (
  day      date primary key,
  name     text not null,
  added_by text not null references login,
  added_at timestamptz not null
);
create index on holiday (added_by);
call keep_history('holiday');
