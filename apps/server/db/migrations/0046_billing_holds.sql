-- Suspensions and closures that wait for registry staff: the clock of memberships stood still for too long, or would end many memberships at once.

-- While a hold is open the clock goes on with everything but suspensions and closures.
create table billing_hold (
  billing_hold_id bigint generated always as identity primary key,
  -- The day of the registry's time zone on which it began.
  since       date not null,
  -- `first-run`: the clock never ran before; `outage`: it did not run for days; `many`: more memberships would have ended on one day than the profile allows.
  reason      text not null check (reason in ('first-run', 'outage', 'many')),
  -- The last day on which the clock ran; none where it never did.
  last_run    date,
  -- Suspensions and closures that were due when it began.
  due         integer not null check (due > 0),
  opened_at   timestamptz not null,
  released_at timestamptz,
  released_by text references login,
  check ((released_at is null) = (released_by is null))
);
create unique index billing_hold_open on billing_hold ((true)) where released_at is null;
create index on billing_hold (released_by);
call keep_history('billing_hold');
