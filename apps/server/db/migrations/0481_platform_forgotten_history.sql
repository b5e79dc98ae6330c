-- Personal data leaves the history, and the seals over it stay right (docs/decisions/0299): a row of the history that is cut keeps the hash that its seal has,
-- and what is left of it is hashed in a table whose own rows are sealed.

-- SHA-256 of the row as it was written, once something was cut out of it: its seal was made over this.
alter table row_change add column digest_as_sealed bytea;

-- Rows of the history from which personal data was cut, with the digest of what is left.
create table history_cut (
  row_change_id bigint primary key,
  -- Of what is left.
  digest        bytea not null check (length(digest) = 32)
);
call keep_history('history_cut');

-- As in seals (platform/database/activity-chain.ts).
create function row_change_digest(r row_change) returns bytea language sql stable
  return sha256(convert_to(jsonb_build_array(r.row_change_id, r.table_name, r.operation, r.before, r.after)::text, 'UTF8'));

-- Tables whose rows end, and that the history copies: nothing else is forgotten. `place` is the column with the row that they end with, which is theirs or of `parent`; `names` are columns of
-- the key that say who a person is. A table that is added comes with a migration, never with a statement of the program.
create function forgotten_tables() returns table (table_name text, keys text[], names text[], place text, parent text) language sql immutable as $$
  values
    ('access_request', '{access_request_id}'::text[], '{}'::text[], 'access_request_id', 'access_request'),
    ('application_event', '{application_event_id}', '{}', 'membership_application_id', 'membership_application'),
    ('link_attempt', '{link_attempt_id}', '{}', 'link_attempt_id', 'link_attempt'),
    ('membership_application', '{membership_application_id}', '{}', 'membership_application_id', 'membership_application'),
    ('referral', '{referral_id}', '{}', 'referral_id', 'referral'),
    ('registry_request', '{registry_request_id}', '{}', 'registry_request_id', 'registry_request'),
    ('staff_visit', '{staff_visit_id}', '{}', 'staff_visit_id', 'staff_visit'),
    ('ticket', '{ticket_id}', '{}', 'ticket_id', 'ticket'),
    ('ticket_cc', '{ticket_id,email}', '{email}', 'ticket_id', 'ticket'),
    ('ticket_link', '{ticket_id,content}', '{}', 'ticket_id', 'ticket'),
    ('ticket_message', '{ticket_message_id}', '{}', 'ticket_id', 'ticket')
$$;
-- The same as one expression, for the index that finds their history. A change of it needs another function and another index.
create function forgotten_by(target text) returns text language sql immutable
  return case target when 'access_request' then 'access_request_id' when 'application_event' then 'membership_application_id' when 'link_attempt' then 'link_attempt_id'
    when 'membership_application' then 'membership_application_id' when 'referral' then 'referral_id' when 'registry_request' then 'registry_request_id'
    when 'staff_visit' then 'staff_visit_id' when 'ticket' then 'ticket_id' when 'ticket_cc' then 'ticket_id' when 'ticket_link' then 'ticket_id'
    when 'ticket_message' then 'ticket_id' end;

-- What is left of a row: its key, and the column by which it ends. A personal column of the key gets a name that nothing leads back from: the salt is lost with the transaction.
create function forget(r jsonb, kept text[], names text[], salt text) returns jsonb language sql immutable
  return (select jsonb_object_agg(k, case when k = any (names) and r ->> k !~ '^erased-[0-9a-f]{32}$'
      then to_jsonb('erased-' || left(encode(sha256(convert_to(salt || coalesce((select string_agg(r ->> o, ',' order by o) from unnest(kept) o where o <> all (names)), '') || ',' || (r ->> k), 'UTF8')), 'hex'), 32)) else r -> k end)
    from unnest(kept) k where r ? k);
-- Whether a row is what forget() leaves of another one.
create function is_left_of(was jsonb, is_now jsonb, kept text[], names text[]) returns boolean language sql immutable
  return (was is null and is_now is null) or (was is not null and is_now is not null
    and (select array_agg(k order by k) from jsonb_object_keys(is_now) k) is not distinct from (select array_agg(k order by k) from unnest(kept) k where was ? k)
    and not exists (select from unnest(kept) k where is_now -> k is distinct from was -> k
      and not (k = any (names) and jsonb_typeof(was -> k) = 'string' and jsonb_typeof(is_now -> k) = 'string' and is_now ->> k ~ '^erased-[0-9a-f]{32}$')));
create function kept_columns(target text) returns text[] language sql immutable
  return (select array(select distinct k from unnest(f.keys || f.place) k order by k) from forgotten_tables() f where f.table_name = target);

-- What the current change forgets, of rows of which table: `table` and `salt`. Null for all others.
create function kept_of(target text, r jsonb) returns jsonb language sql stable
  return case when nullif(current_setting('portal.forgets', true), '')::jsonb ->> 'table' = target and kept_columns(target) is not null then
    forget(r, kept_columns(target), (select f.names from forgotten_tables() f where f.table_name = target), current_setting('portal.forgets')::jsonb ->> 'salt')
    else r end;

create or replace function keep_deleted() returns trigger language plpgsql as $$
declare secrets text[] := coalesce(tg_argv, '{}');
begin
  insert into row_change (activity_id, table_name, operation, before)
  select current_setting('portal.activity_id')::bigint, tg_table_name, 'DELETE',
    kept_of(tg_table_name, case when secrets = '{}' then to_jsonb(r) else to_jsonb(r) - secrets end)
  from deleted r;
  return null;
end $$;

-- The history loses what is no key of a row that has ended, and gains or changes nothing. Only what is sealed: its seal then has the hash of what it was.
create function only_forget() returns trigger language plpgsql as $$
declare
  kept text[] := kept_columns(old.table_name);
  personal text[] := (select f.names from forgotten_tables() f where f.table_name = old.table_name);
begin
  if current_activity() is null then
    raise exception 'change of row_change outside a recorded activity';
  end if;
  if kept is null or to_jsonb(old) - '{before,after,digest_as_sealed}'::text[] is distinct from to_jsonb(new) - '{before,after,digest_as_sealed}'::text[]
    or not is_left_of(old.before, new.before, kept, personal) or not is_left_of(old.after, new.after, kept, personal) then
    raise exception 'row_change only grows: of rows that have ended all but the key may be forgotten, and nothing changed';
  end if;
  if not exists (select from activity_seal s where s.activity_id = old.activity_id) then
    raise exception 'row_change % is not sealed yet', old.row_change_id;
  end if;
  new.digest_as_sealed := coalesce(old.digest_as_sealed, row_change_digest(old));
  return new;
end $$;
create function keep_cut() returns trigger language plpgsql as $$
begin
  insert into history_cut (row_change_id, digest) values (new.row_change_id, row_change_digest(new))
    on conflict (row_change_id) do update set digest = excluded.digest;
  return null;
end $$;
-- At the end of the change the row, and the one that it ends with, have to be gone, by a deletion of this very change.
create function only_of_ended() returns trigger language plpgsql as $$
declare
  facts record;
  id text;
  is_there boolean;
begin
  select * into facts from forgotten_tables() f where f.table_name = new.table_name;
  id := coalesce(new.after, new.before) ->> facts.place;
  if not exists (select from row_change d where d.activity_id = current_activity() and d.operation = 'DELETE' and d.table_name = facts.parent and d.before ->> facts.place = id) then
    raise exception 'row_change only grows: % % was not deleted by this change', facts.parent, id;
  end if;
  execute format('select exists (select from %I t where t.%I = $1::%s)', new.table_name, facts.place,
    (select format_type(a.atttypid, a.atttypmod) from pg_attribute a where a.attrelid = new.table_name::regclass and a.attname = facts.place)) into is_there using id;
  if is_there then
    raise exception 'row_change only grows: % % is still there', new.table_name, id;
  end if;
  return null;
end $$;
drop trigger append_only on row_change;
create trigger append_only before delete or truncate on row_change for each statement execute function append_only();
create trigger only_forget before update on row_change for each row execute function only_forget();
create trigger z_keep_cut after update on row_change for each row when (old.* is distinct from new.*) execute function keep_cut();
create constraint trigger z_only_of_ended after update on row_change deferrable initially deferred for each row execute function only_of_ended();

-- It follows the history by a trigger, and nothing else writes it.
create trigger a_by_hand before insert or update or delete on history_cut for each statement when (pg_trigger_depth() = 0) execute function refuse_by_hand();

-- Forgets the sealed history of rows of a table, found by the rows that they ended with: also of those that were deleted before. The deletion that the current change writes is forgotten already.
create function cut_history(target text, ids text[], salt text) returns bigint language sql as $$
  with gone as (
    update row_change r set before = forget(r.before, kept_columns(target), f.names, salt), after = forget(r.after, kept_columns(target), f.names, salt)
    from forgotten_tables() f
    where f.table_name = target and r.table_name = target and forgotten_by(r.table_name) is not null
      and coalesce(r.after, r.before) ->> forgotten_by(r.table_name) = any (ids) and r.activity_id <> current_activity()
    returning 1)
  select count(*) from gone;
$$;
