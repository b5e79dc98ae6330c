-- A mark that registry staff set on an account for their colleagues, with a reason, a person and a last day. Its members never see it (docs/decisions/0351). A row keeps its
-- own past: it is set once, and removed at most once.
create table risk_mark (
  risk_mark_id   bigint generated always as identity primary key,
  account_name   text not null references account,
  title          text not null check (length(title) between 3 and 80),
  reason         text not null check (length(reason) between 3 and 300),
  -- In force up to and including this day in the registry's time zone.
  ends_on        date not null,
  set_by         text not null references login,
  set_at         timestamptz not null,
  removed_by     text references login,
  removed_at     timestamptz,
  removal_reason text,
  check (num_nulls(removed_by, removed_at, removal_reason) in (0, 3)),
  -- At most a year; a day more, since the registry's day may be another than that of UTC.
  check (ends_on <= (set_at at time zone 'UTC')::date + 367)
);
create index on risk_mark (account_name, ends_on) where removed_at is null;
create index on risk_mark (account_name);
create index on risk_mark (set_by);
create index on risk_mark (removed_by);
-- Without copies of rows: they would keep what was said about people after the row has ended.
call keep_history('risk_mark', with_copy => false);
