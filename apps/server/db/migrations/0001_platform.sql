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
  -- What the line says, hashed when it is written: one that is altered before its seal shows as well.
  digest bytea,
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

-- Digests of what the history does not copy: secret columns, and rows of tables that keep no copies. What is changed past the portal shows by
-- them, as a row that is copied shows by its history; they are sealed with the activity that wrote them.
create table row_digest (
  row_digest_id bigint generated always as identity,
  activity_id bigint not null,
  table_name text not null,
  -- The primary key of the row.
  key jsonb not null,
  -- How many columns the table had: one that is added later is not in it.
  columns integer not null,
  -- SHA-256; null where the row was deleted.
  digest bytea,
  primary key (activity_id, row_digest_id)
);
create index on row_digest (table_name);

-- Seals activities into a chain of hashes, in the order a task found them committed: a line altered or removed later shows.
create table activity_seal (
  position bigint primary key check (position > 0),
  activity_id bigint not null unique references activity,
  hash bytea not null,
  sealed_at timestamptz not null default now(),
  -- An HMAC of the seal with a key that follows from SECRET_KEY: who has the database alone can compute the hashes of a chain, and not this.
  mark bytea
);

-- Activities that are written and not sealed yet. Written with the activity and deleted with its seal.
create table activity_receipt (
  activity_id bigint primary key
);

-- The last line of a log, with a digest of this row itself.
create table log_end (
  log    text primary key check (log in ('activity_seal', 'whois_journal')),
  -- Lines ever written, and the number of the last.
  lines  bigint not null,
  last   bigint not null,
  -- What the last line says.
  hash   bytea not null,
  digest bytea not null
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
create index task_failed on task (task_id) where outcome = 'failed';
-- How many tasks of an account wait, so that accounts take turns.
create index task_waiting on task (account_name) where state = 'queued';

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

-- The digest of a row: of its covered columns; of all where none are named.
create function row_digest_of(r jsonb, covered text[]) returns bytea language sql immutable
  return sha256(convert_to(case when covered = '{}' then r else
    (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(r) where key = any(covered)) end::text, 'UTF8'));
create function row_key_of(r jsonb, keys text[]) returns jsonb language sql immutable
  return (select jsonb_agg(r -> k order by n) from unnest(keys) with ordinality as of_key (k, n));

-- The trigger's arguments are the columns of the primary key, and the covered ones.
create function digest_written() returns trigger language plpgsql as $$
begin
  insert into row_digest (activity_id, table_name, key, columns, digest)
  select current_setting('portal.activity_id')::bigint, tg_table_name, row_key_of(to_jsonb(w), tg_argv[0]::text[]),
    (select relnatts from pg_class where oid = tg_relid), row_digest_of(to_jsonb(w), tg_argv[1]::text[])
  from written w;
  return null;
end $$;
create function digest_deleted() returns trigger language plpgsql as $$
begin
  insert into row_digest (activity_id, table_name, key, columns)
  select current_setting('portal.activity_id')::bigint, tg_table_name, row_key_of(to_jsonb(g), tg_argv[0]::text[]), (select relnatts from pg_class where oid = tg_relid)
  from gone g;
  return null;
end $$;

-- Puts the triggers on a table that is under the guard, where something of it is not in the history. Within an activity its present rows are digested as they are.
create procedure keep_digests(target regclass) language plpgsql as $$
declare
  keys text[] := (select array_agg(a.attname::text order by n.i) from pg_index x, unnest(x.indkey::int2[]) with ordinality n(attnum, i)
    join pg_attribute a on a.attnum = n.attnum where x.indrelid = target and x.indisprimary and a.attrelid = target);
  copies bytea := (select tgargs from pg_trigger where tgrelid = target and tgname = 'z_keep_inserted');
  covered text[] := coalesce((select array_agg(name) from unnest(string_to_array(encode(coalesce(copies, ''), 'escape'), '\000')) name where name <> ''), '{}');
begin
  if keys is null then raise exception 'keep_digests: table % has no primary key', target; end if;
  if copies is not null and covered = '{}' then return; end if;
  execute format('create trigger y_digest_inserted after insert on %s referencing new table as written for each statement execute function digest_written(%L, %L)', target, keys, covered);
  execute format('create trigger y_digest_updated after update on %s referencing new table as written for each statement execute function digest_written(%L, %L)', target, keys, covered);
  execute format('create trigger y_digest_deleted after delete on %s referencing old table as gone for each statement execute function digest_deleted(%L, %L)', target, keys, covered);
  if current_activity() is not null then
    execute format('insert into row_digest (activity_id, table_name, key, columns, digest) select current_activity(), %L, row_key_of(to_jsonb(t), %L),
      (select relnatts from pg_class where oid = %s), row_digest_of(to_jsonb(t), %L) from %s t', target::text, keys, target::oid, covered, target);
  end if;
end $$;

-- Takes the digests of a table's present rows anew, within an activity: for a migration that drops a column which was in them. What was changed past the portal before shows
-- no longer, so `registry verify` comes first.
create procedure renew_digests(target regclass) language plpgsql as $$
declare
  -- Of digest_written: the columns of the primary key, and the covered ones.
  given text[] := (select string_to_array(encode(tgargs, 'escape'), '\000') from pg_trigger where tgrelid = target and tgname = 'y_digest_inserted');
begin
  if given is null then raise exception 'renew_digests: table % has no digests', target; end if;
  if current_activity() is null then raise exception 'renew_digests of % outside a recorded activity', target; end if;
  execute format('insert into row_digest (activity_id, table_name, key, columns, digest) select current_activity(), %L, row_key_of(to_jsonb(t), %L),
    (select relnatts from pg_class where oid = %s), row_digest_of(to_jsonb(t), %L) from %s t', target::text, given[1], target::oid, given[2], target);
end $$;

-- Puts a table under the guard; every table but those of this file is.
--   with_copy => false        guard without the copy: for tables that keep their own versions or hold short-lived secrets
--   secret_columns => '{a,b}' these never reach row_change: passwords, keys, one-time secrets
--   with_digests => false     no digests of what is not copied: for what is made anew from other tables, or carries a signature of its own
create procedure keep_history(target regclass, with_copy boolean default true, secret_columns text[] default '{}', with_digests boolean default true) language plpgsql as $$
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
  if with_digests then call keep_digests(target); end if;
end $$;

-- A state changes along a move of its life in the contract (`life.ts`) or not at all, whatever writes it. @param steps `draft>submitted draft>withdrawn`
create function along_life() returns trigger language plpgsql as $$
declare
  before text := to_jsonb(old) ->> tg_argv[0];
  after text := to_jsonb(new) ->> tg_argv[0];
begin
  if before || '>' || after <> all (string_to_array(tg_argv[1], ' ')) then
    raise exception '%: no move leads from % to %', tg_table_name, before, after;
  end if;
  return new;
end $$;

create procedure follow_life(target regclass, state_column name, steps text) language plpgsql as $$
begin
  execute format('create trigger b_follow_life before update on %s for each row when (old.%I is distinct from new.%I) execute function along_life(%L, %L)',
    target, state_column, state_column, state_column, regexp_replace(steps, '\s+', ' ', 'g'));
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
create trigger a_require_activity before insert on row_digest for each statement execute function require_activity();
create trigger append_only before update or delete or truncate on row_digest for each statement execute function append_only();
create trigger append_only before update or delete or truncate on activity_seal for each statement execute function append_only();

-- Columns are named one by one, as in seals (platform/database/activity-chain.ts): one that is added later must not break old digests.
create function activity_digest(a activity) returns bytea language sql stable
  return sha256(convert_to(jsonb_build_array(a.activity_id, extract(epoch from a.happened_at), a.action, a.summary, a.trace_id, a.account_name,
    a.login_issuer, a.login_subject, a.contact_id, a.sid, a.amr, a.address, a.refusal, a.details)::text, 'UTF8'));

create function keep_digest() returns trigger language plpgsql as $$
begin
  new.digest := activity_digest(new);
  return new;
end $$;

-- After only_note_on_current_activity, by its name: that one lets nothing but details through.
create trigger z_keep_digest before insert or update on activity for each row execute function keep_digest();

-- Receipts and ends are kept apart from the logs that only grow: an end that is cut off, or a line that is taken out whole, shows by them.
create function log_end_digest(log text, lines bigint, last bigint, hash bytea) returns bytea language sql immutable
  return sha256(convert_to(jsonb_build_array(log, lines, last, encode(hash, 'hex'))::text, 'UTF8'));

create function keep_activity_receipt() returns trigger language plpgsql as $$
begin
  insert into activity_receipt (activity_id) select activity_id from inserted;
  return null;
end $$;
create trigger z_keep_receipt after insert on activity referencing new table as inserted for each statement execute function keep_activity_receipt();

create function keep_seal_end() returns trigger language plpgsql as $$
begin
  insert into log_end as e (log, lines, last, hash, digest)
    select 'activity_seal', position, position, hash, log_end_digest('activity_seal', position, position, hash) from inserted order by position desc limit 1
    on conflict (log) do update set lines = excluded.lines, last = excluded.last, hash = excluded.hash, digest = excluded.digest;
  delete from activity_receipt r using inserted i where r.activity_id = i.activity_id;
  return null;
end $$;
create trigger z_keep_end after insert on activity_seal referencing new table as inserted for each statement execute function keep_seal_end();

-- Both follow their logs by triggers, and nothing else writes them.
create function refuse_by_hand() returns trigger language plpgsql as $$
begin
  raise exception '% follows its log: % by hand is refused', tg_table_name, lower(tg_op);
end $$;
create trigger a_by_hand before insert or update or delete on activity_receipt for each statement when (pg_trigger_depth() = 0) execute function refuse_by_hand();
create trigger a_by_hand before insert or update or delete on log_end for each statement when (pg_trigger_depth() = 0) execute function refuse_by_hand();
create trigger append_only before truncate on activity_receipt for each statement execute function append_only();
create trigger append_only before truncate on log_end for each statement execute function append_only();

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

-- Work that was begun and has not ended: a task, a run of periodic work, a message of another system. What is still here when it is begun anew ended its
-- process, or hung it until somebody ended it. The second time it is set aside for people to look at.
create table work_unit (
  queue text not null,
  unit text not null,
  -- What it is, in words for operators.
  title text not null,
  account_name text,
  -- Since when it is at work; null while it is not.
  begun_at timestamptz,
  -- The process at work on it.
  process text,
  -- When it last got further, as far as it says.
  progressed_at timestamptz,
  -- How often its process ended while it was at work, since it last got further.
  ended_processes integer not null default 0,
  set_aside_at timestamptz,
  -- What was seen of it last, such as the exception that nothing awaited.
  sign text,
  primary key (queue, unit)
);
create index on work_unit (set_aside_at) where set_aside_at is not null;
create index on work_unit (begun_at) where begun_at is not null;
