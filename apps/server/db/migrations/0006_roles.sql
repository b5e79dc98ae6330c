-- What registry staff may do: roles, and who holds which, from when until when. Ready-made roles are values of the contract; a registry adds its own.

-- A role of the registry's own, with permissions of `staff-permissions.ts`.
create table staff_role (
  staff_role_id bigint generated always as identity primary key,
  name          text not null check (length(name) between 1 and 60),
  permissions   text[] not null check (cardinality(permissions) > 0),
  -- Since when no one gets it any more; its holders lost it then.
  ended_at      timestamptz
);
create unique index staff_role_name on staff_role (lower(name)) where ended_at is null;
call keep_history('staff_role');

-- Who holds which role. No one gives a role to themselves; a role that was given at the command line has no giver.
create table staff_assignment (
  staff_assignment_id bigint generated always as identity primary key,
  login_id         text not null references login,
  -- A ready-made role by its key, or one of the registry's own.
  ready_made       text,
  staff_role_id    bigint references staff_role,
  given_by         text references login,
  given_at         timestamptz not null,
  reason           text not null check (length(reason) between 1 and 500),
  starts_at        timestamptz not null,
  -- The instant from which it counts no more; null: until it is withdrawn.
  until            timestamptz check (until > starts_at),
  withdrawn_by     text references login,
  withdrawn_at     timestamptz,
  withdrawn_reason text check (length(withdrawn_reason) between 1 and 500),
  -- When it was last kept in an access review, and by which colleague.
  reviewed_at      timestamptz,
  reviewed_by      text references login,
  -- The group of another provider (STAFF_GROUPS) that gave the role, and takes it away with it; null for a role that a person or the command line gave.
  from_group       text check (length(from_group) between 1 and 300),
  check ((ready_made is null) <> (staff_role_id is null)),
  check ((withdrawn_at is null) = (withdrawn_reason is null)),
  check ((reviewed_at is null) = (reviewed_by is null)),
  check (from_group is null or given_by is null),
  constraint staff_role_given_by_another check (given_by <> login_id),
  constraint staff_role_reviewed_by_another check (reviewed_by <> login_id)
);
create unique index staff_assignment_once on staff_assignment (login_id, ready_made, staff_role_id) nulls not distinct where withdrawn_at is null;
create index on staff_assignment (staff_role_id);
create index on staff_assignment (given_by);
create index on staff_assignment (withdrawn_by);
create index on staff_assignment (reviewed_by);
-- Only staff hold roles. Who is staff no more has lost them before.
create function staff_holds_roles() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'login' then
    if exists (select from staff_assignment where login_id = new.login_id and withdrawn_at is null) then
      raise exception '% holds roles of registry staff: withdraw them first', new.username using errcode = 'restrict_violation';
    end if;
  elsif not exists (select from login where login_id = new.login_id and staff) then
    raise exception 'Only registry staff hold roles' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger staff_holds_roles before insert on staff_assignment for each row execute function staff_holds_roles();
create trigger staff_holds_roles before update of staff on login for each row when (old.staff and not new.staff) execute function staff_holds_roles();
call keep_history('staff_assignment');

-- Groups with a role that the newest token of a person names.
create table staff_group (
  login_id   text not null references login,
  group_name text not null check (length(group_name) between 1 and 300),
  -- A ready-made role by its key, or one of the registry's own by its number.
  given_role text not null,
  since      timestamptz not null,
  -- Why it gives no role, or why its role stayed when the group was taken away.
  refused    text check (length(refused) between 1 and 1000),
  primary key (login_id, group_name, given_role)
);
call keep_history('staff_group');
