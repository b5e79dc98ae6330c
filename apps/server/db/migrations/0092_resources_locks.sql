-- Locks that holders put on their delegations: nothing of a locked one is transferred or returned. Released after a delay, and by two people.

create table resource_lock (
  resource_lock_id bigint generated always as identity primary key,
  account_name  text not null references account,
  delegation_id bigint not null references delegation,
  locked_at     timestamptz not null,
  locked_by     text not null references login,
  -- The release: who requested it, who else confirmed it, and the instant from which it can count.
  requested_at  timestamptz,
  requested_by  text references login,
  confirmed_by  text references login,
  -- Confirmed by registry staff, for an account with one contact.
  by_staff      boolean not null default false,
  releases_at   timestamptz,
  released_at   timestamptz,
  check ((requested_at is null) = (requested_by is null) and (requested_at is null) = (releases_at is null)),
  check (confirmed_by is null or (requested_at is not null and confirmed_by <> requested_by)),
  check (released_at is null or confirmed_by is not null)
);
create unique index resource_lock_once on resource_lock (delegation_id) where released_at is null;
create index on resource_lock (account_name, resource_lock_id);
create index on resource_lock (locked_by);
create index on resource_lock (requested_by);
create index on resource_lock (confirmed_by);
create index resource_lock_due on resource_lock (releases_at) where released_at is null and confirmed_by is not null;
call keep_history('resource_lock');
