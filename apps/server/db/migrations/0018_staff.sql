-- What registry staff work with: looking at an account as its contacts see it, and finding people.

-- Registry staff look at an account they are no contact of. One at a time, until half an hour is over or they stop.
create table staff_visit (
  staff_visit_id bigint generated always as identity primary key,
  login_id       text not null references login,
  account_name   text not null references account,
  started_at     timestamptz not null,
  until          timestamptz not null,
  ended_at       timestamptz,
  check (until > started_at)
);
create unique index staff_visit_open on staff_visit (login_id) where ended_at is null;
create index on staff_visit (account_name);
call keep_history('staff_visit');
