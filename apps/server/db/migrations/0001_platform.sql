-- The platform's own tables: who changed what and when, background work, and the guard every other table is put under.

create extension if not exists btree_gist;
create extension if not exists pg_trgm;

-- One line per change, and per refused attempt at one.
create table activity (
  activity_id bigint generated always as identity primary key,
  happened_at timestamptz not null default now(),
  action text not null,
  summary text not null,
  trace_id text not null,
  account_name text,
  login_issuer text,
  login_subject text,
  contact_id text,
  sid text,
  amr text[],
  address inet,
  -- The error code of a call that was refused; null for a change that happened.
  refusal text,
  details jsonb not null default '{}',
  check ((login_issuer is null) = (login_subject is null))
);
create index on activity (account_name, activity_id desc);

-- What a row was and what it became. No foreign key to activity: it would cost a look-up for each of the 100,000 rows of an import;
-- the guard writes only the current activity's id, and verify checks it.
create table row_change (
  row_change_id bigint generated always as identity,
  activity_id bigint not null,
  table_name text not null,
  operation text not null check (operation in ('INSERT', 'UPDATE', 'DELETE')),
  before jsonb,
  after jsonb,
  primary key (activity_id, row_change_id)
);
create index on row_change (table_name);

-- Seals activities into a chain of hashes, in the order a task found them committed: a line altered or removed later shows.
create table activity_seal (
  position bigint primary key check (position > 0),
  activity_id bigint not null unique references activity,
  hash bytea not null,
  sealed_at timestamptz not null default now()
);

-- Background work as members see it; the task runner keeps its own books.
create table task (
  task_id bigint generated always as identity primary key,
  name text not null,
  summary text not null,
  input jsonb not null,
  activity_id bigint not null references activity,
  account_name text,
  state text not null default 'queued' check (state in ('queued', 'running', 'completed', 'cancelled', 'expired')),
  outcome text check (outcome in ('success', 'partial', 'failed')),
  items_done integer not null default 0,
  items_total integer,
  error text,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
create index on task (account_name, task_id desc);
create index on task (task_id) where state in ('queued', 'running');
create index on task (activity_id);

create function current_activity() returns bigint language sql stable
  return nullif(current_setting('portal.activity_id', true), '')::bigint;

-- Statements outside a recorded activity are refused, even when they touch no row.
create function require_activity() returns trigger language plpgsql as $$
begin
  if nullif(current_setting('portal.activity_id', true), '') is null then
    raise exception 'change of % outside a recorded activity', tg_table_name;
  end if;
  return null;
end $$;

-- TRUNCATE leaves no trace of what it removed, so it is refused inside an activity too.
create function refuse_truncate() returns trigger language plpgsql as $$
begin
  raise exception 'change of % outside a recorded activity', tg_table_name using hint = 'truncate keeps no history; delete does';
end $$;

-- Inserts and deletes are copied a statement at a time. The trigger's arguments are the secret columns.
create function keep_inserted() returns trigger language plpgsql as $$
declare secrets text[] := coalesce(tg_argv, '{}');
begin
  insert into row_change (activity_id, table_name, operation, after)
  select current_setting('portal.activity_id')::bigint, tg_table_name, 'INSERT',
    case when secrets = '{}' then to_jsonb(r) else to_jsonb(r) - secrets end
  from inserted r;
  return null;
end $$;

create function keep_deleted() returns trigger language plpgsql as $$
declare secrets text[] := coalesce(tg_argv, '{}');
begin
  insert into row_change (activity_id, table_name, operation, before)
  select current_setting('portal.activity_id')::bigint, tg_table_name, 'DELETE',
    case when secrets = '{}' then to_jsonb(r) else to_jsonb(r) - secrets end
  from deleted r;
  return null;
end $$;

create function keep_updated() returns trigger language plpgsql as $$
declare secrets text[] := coalesce(tg_argv, '{}');
begin
  insert into row_change (activity_id, table_name, operation, before, after)
  values (current_setting('portal.activity_id')::bigint, tg_table_name, 'UPDATE', to_jsonb(old) - secrets, to_jsonb(new) - secrets);
  return null;
end $$;

-- Puts a table under the guard; every table but those of this file is.
--   with_copy => false        guard without the copy: for tables that keep their own versions or hold short-lived secrets
--   secret_columns => '{a,b}' these never reach row_change: passwords, keys, one-time secrets
create procedure keep_history(target regclass, with_copy boolean default true, secret_columns text[] default '{}') language plpgsql as $$
declare
  secret text;
  arguments text := coalesce((select string_agg(quote_literal(s), ', ') from unnest(secret_columns) s), '');
begin
  foreach secret in array secret_columns loop
    if not exists (select from pg_attribute where attrelid = target and attname = secret and attnum > 0 and not attisdropped) then
      raise exception 'keep_history: table % has no column %', target, secret;
    end if;
  end loop;
  execute format('create trigger a_require_activity before insert or update or delete on %s for each statement execute function require_activity()', target);
  execute format('create trigger a_refuse_truncate before truncate on %s for each statement execute function refuse_truncate()', target);
  if with_copy then
    execute format('create trigger z_keep_inserted after insert on %s referencing new table as inserted for each statement execute function keep_inserted(%s)', target, arguments);
    execute format('create trigger z_keep_deleted after delete on %s referencing old table as deleted for each statement execute function keep_deleted(%s)', target, arguments);
    execute format('create trigger z_keep_updated after update on %s for each row when (old.* is distinct from new.*) execute function keep_updated(%s)', target, arguments);
  end if;
end $$;

-- The log itself only grows. The current activity may still gain details, and nothing else of it may change.
create function append_only() returns trigger language plpgsql as $$
begin
  raise exception '% only grows: % is refused', tg_table_name, lower(tg_op);
end $$;

-- It may also be told, once, whose log it belongs to, where only the change finds out.
create function only_note_on_current_activity() returns trigger language plpgsql as $$
begin
  if old.activity_id is distinct from current_activity() then
    raise exception 'activity only grows: activity % is not the current one', old.activity_id;
  end if;
  if to_jsonb(old) - '{details,account_name,contact_id}'::text[] is distinct from to_jsonb(new) - '{details,account_name,contact_id}'::text[]
    or (old.account_name is not null and (new.account_name, new.contact_id) is distinct from (old.account_name, old.contact_id)) then
    raise exception 'activity only grows: nothing but details may be added to the current one';
  end if;
  return new;
end $$;

create trigger only_note_on_current_activity before update on activity for each row execute function only_note_on_current_activity();
create trigger append_only before delete or truncate on activity for each statement execute function append_only();
create trigger a_require_activity before insert on row_change for each statement execute function require_activity();
create trigger append_only before update or delete or truncate on row_change for each statement execute function append_only();
create trigger append_only before update or delete or truncate on activity_seal for each statement execute function append_only();

-- Technical tables without the guard.

-- What a call with an idempotency key answered, for a day.
create table idempotent_answer (
  login_id       text not null,
  key_digest     bytea not null,
  request_digest bytea not null,
  status         integer not null,
  answer         jsonb not null,
  made_at        timestamptz not null,
  primary key (login_id, key_digest)
);
create index on idempotent_answer (made_at);

-- What is done again and again, whichever worker does it: when it was last begun and done, and why it failed. The queue is graphile-worker's.
create table periodic_work (
  name text primary key,
  known_since timestamptz not null,
  begun_at timestamptz,
  succeeded_at timestamptz,
  failed_at timestamptz,
  -- Of the last run; null when it succeeded.
  failure text,
  -- What the last run that succeeded left for the next one, such as how far it came.
  noted jsonb
);
