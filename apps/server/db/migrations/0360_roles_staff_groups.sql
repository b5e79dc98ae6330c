-- Roles by the groups of another provider (STAFF_GROUPS).

-- The group that gave a role, and the provider takes away with it; null for a role that a person or the command line gave.
alter table staff_assignment add column from_group text check (length(from_group) between 1 and 300);
alter table staff_assignment add check (from_group is null or given_by is null);

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

-- When the newest token was issued whose groups were applied, so that an older one undoes nothing.
alter table login_subject add column groups_at timestamptz;
