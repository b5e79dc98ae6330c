-- A request to erase a person: by the person, or filed by registry staff for one who can't sign in. It waits some days, and two people of the staff carry it out (docs/decisions/0310).
create table erasure (
  erasure_id   bigint generated always as identity primary key,
  login_id     text not null references login,
  state        text not null default 'requested' check (state in ('requested', 'withdrawn', 'refused', 'erased')),
  -- Who filed it for the person; null where the person asked.
  filed_by     text references login check (filed_by <> login_id),
  -- How the person was identified, where staff filed it.
  reason       text not null default '' check (length(reason) <= 500),
  requested_at timestamptz not null,
  -- Until then it is carried out by no one: who owns the login can take it back.
  due_at       timestamptz not null,
  ended_at     timestamptz,
  ended_by     text references login,
  note         text not null default '' check (length(note) <= 500),
  check ((state = 'requested') = (ended_at is null)),
  check ((filed_by is null) = (reason = ''))
);
create unique index erasure_open on erasure (login_id) where state in ('requested', 'erased');
create index erasure_of_login on erasure (login_id);
create index on erasure (filed_by);
create index on erasure (ended_by);
call keep_history('erasure');

-- Rows of people that an erasure deletes, or whose columns it replaces: those that their modules declare (`erased` in personal-data.ts; a test compares both), in the order of their deletion. `place` is
-- the column with the person, by login or contact; `names` are columns of the key that say who a person is; `columns` are replaced, each by a value of its kind, and the row stays; without them it
-- is deleted; `only` are the rows that are meant. A table that is added comes with a migration, never with a statement of the program.
create function erased_tables() returns table (step integer, table_name text, keys text[], names text[], place text, link text, columns jsonb, only_rows text) language sql immutable as $$
  select (row_number() over ())::integer, t.* from (values
    ('login', '{login_id}'::text[], '{}'::text[], 'login_id', 'login',
      '{"username":"token","email":"address","email_verified":"false","full_name":"person","display_name":"person","nickname":"person","frozen_at":"null","frozen_email":"null","demo_role":"null","last_sign_in_at":"null"}'::jsonb, 'true'),
    ('contact', '{contact_id}', '{}', 'contact_id', 'contact', '{"full_name":"person","email":"address","phone":"empty","position":"empty"}', 'true'),
    ('login_preferences', '{login_id}', '{}', 'login_id', 'login', null, 'true'),
    ('login_subject', '{issuer,subject}', '{issuer,subject}', 'login_id', 'login', null, 'true'),
    ('login_password', '{login_id}', '{}', 'login_id', 'login', null, 'true'),
    ('login_passkey', '{credential_id}', '{credential_id}', 'login_id', 'login', null, 'true'),
    ('login_totp', '{totp_id}', '{}', 'login_id', 'login', null, 'true'),
    ('login_recovery_code', '{login_id}', '{}', 'login_id', 'login', null, 'true'),
    ('login_link', '{link_id}', '{}', 'login_id', 'login', null, 'true'),
    ('code_failure', '{login_id,kind}', '{}', 'login_id', 'login', null, 'true'),
    ('session', '{sid}', '{}', 'login_id', 'login', '{"address":"null","user_agent":"null"}', 'true'),
    ('data_copy', '{data_copy_id}', '{}', 'login_id', 'login', null, 'true'),
    ('mail', '{mail_id}', '{}', 'login_id', 'login', null, 'sent_at is null and refused_at is null'),
    ('freeze_link', '{freeze_link_id}', '{}', 'login_id', 'login', null, 'true'),
    ('notification', '{notification_id}', '{}', 'login_id', 'login', null, 'true'),
    ('notification_address', '{login_id,topic}', '{}', 'login_id', 'login', null, 'true'),
    ('notification_preference', '{login_id,topic}', '{}', 'login_id', 'login', null, 'true'),
    ('notification_digest', '{login_id,digest,until}', '{}', 'login_id', 'login', null, 'true'),
    ('access_request', '{access_request_id}', '{}', 'login_id', 'login', '{"full_name":"person","email":"address"}', 'true'),
    ('link_attempt', '{link_attempt_id}', '{}', 'login_id', 'login', null, 'true'),
    ('staff_group', '{login_id,group_name,given_role}', '{}', 'login_id', 'login', null, 'true'),
    ('case_reminder', '{case_reminder_id}', '{}', 'login_id', 'login', null, 'true'),
    ('case_watch', '{case_watch_id}', '{}', 'login_id', 'login', null, 'true'),
    ('saved_queue', '{saved_queue_id}', '{}', 'login_id', 'login', null, 'true'),
    ('whois_follow', '{follow_id}', '{}', 'contact_id', 'contact', null, 'true'),
    ('rdns_check', '{check_id}', '{}', 'login_id', 'login', null, 'true'),
    ('ticket_read', '{ticket_id,login_id}', '{}', 'login_id', 'login', null, 'true'),
    ('event_registration', '{event_registration_id}', '{}', 'login_id', 'login', '{"full_name":"person","email":"address"}', 'true'),
    ('event_certificate', '{code}', '{}', 'login_id', 'login', '{"full_name":"person"}', 'true'),
    ('announcement_feed', '{login_id}', '{}', 'login_id', 'login', null, 'true'),
    ('announcement_reader', '{announcement_id,login_id}', '{}', 'login_id', 'login', null, 'true'),
    ('quality_recipient', '{campaign_id,contact_id}', '{}', 'contact_id', 'contact', '{"address":"address"}', 'true')
  ) as t
$$;
-- The column of a table by which the history of an erased person is found, as one expression for its index. A change of it needs another function and another index.
create function erased_by(target text) returns text language sql immutable
  return case when target in ('contact', 'whois_follow') then 'contact_id'
    when target in ('login', 'login_subject', 'login_password', 'login_passkey', 'login_totp', 'login_recovery_code', 'data_copy', 'notification_address', 'notification_preference',
      'notification_digest', 'access_request', 'link_attempt', 'staff_group', 'case_reminder', 'case_watch', 'saved_queue', 'event_registration', 'event_certificate', 'announcement_feed') then 'login_id' end;

-- What is left of a row of the history once its person is erased: all but the columns that are replaced, or of a row that is deleted its key and its person.
create function left_when_erased(target text, r jsonb, salt text) returns jsonb language sql immutable
  return (select case when r is null then null when e.columns is null then forget(r, e.keys || e.place, e.names, salt)
      else r - array(select jsonb_object_keys(e.columns)) end
    from erased_tables() e where e.table_name = target);
create function is_left_when_erased(target text, was jsonb, is_now jsonb) returns boolean language sql immutable
  return coalesce((select case when e.columns is null then is_left_of(was, is_now, array(select distinct k from unnest(e.keys || e.place) k), e.names)
      else is_now is not distinct from was - array(select jsonb_object_keys(e.columns)) end
    from erased_tables() e where e.table_name = target), false);

create or replace function kept_of(target text, r jsonb) returns jsonb language sql stable
  return case when nullif(current_setting('portal.forgets', true), '')::jsonb ->> 'table' is distinct from target then r
    when current_setting('portal.forgets')::jsonb ? 'erases' then left_when_erased(target, r, current_setting('portal.forgets')::jsonb ->> 'salt')
    when kept_columns(target) is not null then
      forget(r, kept_columns(target), (select f.names from forgotten_tables() f where f.table_name = target), current_setting('portal.forgets')::jsonb ->> 'salt')
    else r end;

-- What a row was before its person was erased never gets to the history: it isn't sealed yet.
create or replace function keep_updated() returns trigger language plpgsql as $$
declare
  secrets text[] := coalesce(tg_argv, '{}');
  was jsonb := to_jsonb(old) - secrets;
begin
  if nullif(current_setting('portal.forgets', true), '') is not null then was := kept_of(tg_table_name, was); end if;
  insert into row_change (activity_id, table_name, operation, before, after)
  values (current_setting('portal.activity_id')::bigint, tg_table_name, 'UPDATE', was, to_jsonb(new) - secrets);
  return null;
end $$;

create or replace function only_forget() returns trigger language plpgsql as $$
declare
  kept text[] := kept_columns(old.table_name);
  personal text[] := (select f.names from forgotten_tables() f where f.table_name = old.table_name);
begin
  if current_activity() is null then
    raise exception 'change of row_change outside a recorded activity';
  end if;
  if to_jsonb(old) - '{before,after,digest_as_sealed}'::text[] is distinct from to_jsonb(new) - '{before,after,digest_as_sealed}'::text[]
    or not (kept is not null and is_left_of(old.before, new.before, kept, personal) and is_left_of(old.after, new.after, kept, personal)
      or is_left_when_erased(old.table_name, old.before, new.before) and is_left_when_erased(old.table_name, old.after, new.after)) then
    raise exception 'row_change only grows: of rows that have ended all but the key may be forgotten, and nothing changed';
  end if;
  if not exists (select from activity_seal s where s.activity_id = old.activity_id) then
    raise exception 'row_change % is not sealed yet', old.row_change_id;
  end if;
  new.digest_as_sealed := coalesce(old.digest_as_sealed, row_change_digest(old));
  return new;
end $$;

-- Whose data a row of the history is, by login; null where it is of no table that an erasure reaches.
create function person_of_change(target text, r jsonb) returns text language sql stable
  return (select case e.link when 'login' then r ->> e.place else (select c.login_id from contact c where c.contact_id::text = r ->> e.place) end
    from erased_tables() e where e.table_name = target);
-- Whether an activity erased a person.
create function erases_person(activity bigint, person text) returns boolean language sql stable
  return exists (select from row_change d where d.activity_id = activity and d.table_name = 'erasure' and d.after ->> 'state' = 'erased' and d.before ->> 'state' = 'requested'
    and d.after ->> 'login_id' = person);

-- At the end of the change the row, and the one that it ends with, have to be gone, by a deletion of this very change; or its person is erased by it.
create or replace function only_of_ended() returns trigger language plpgsql as $$
declare
  facts record;
  id text;
  is_there boolean;
begin
  if erases_person(current_activity(), person_of_change(new.table_name, coalesce(new.after, new.before))) then return null; end if;
  select * into facts from forgotten_tables() f where f.table_name = new.table_name;
  if facts is null then
    raise exception 'row_change only grows: the person of % % was not erased by this change', new.table_name, new.row_change_id;
  end if;
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

-- The value of a kind that stands for one of an erased person, and what such a value looks like.
create function erased_value(kind text, token text) returns text language sql immutable
  return case kind when 'person' then '''Erased person''' when 'token' then quote_literal(token) when 'address' then quote_literal(token || '@erased.invalid')
    when 'empty' then '''''' when 'false' then 'false' when 'null' then 'null' end;
create function is_erased_value(kind text, alias text, place text) returns text language sql immutable
  return case kind when 'person' then format('%I.%I = ''Erased person''', alias, place)
    when 'token' then format('%I.%I ~ ''^erased-[0-9a-f]{12}$''', alias, place)
    when 'address' then format('%I.%I ~ ''^erased-[0-9a-f]{12}@erased[.]invalid$''', alias, place)
    when 'empty' then format('%I.%I = ''''', alias, place) when 'false' then format('not %I.%I', alias, place) else format('%I.%I is null', alias, place) end;

-- The values of a person by which the rows of a table are found.
create function places_of(person text, link text) returns text[] language sql stable
  return case link when 'login' then array[person] else array(select contact_id::text from contact c where c.login_id = person order by 1) end;

-- Whether something of a person was changed that isn't sealed yet: only what is sealed can be forgotten.
create function is_unsealed(person text) returns boolean language sql stable
  return exists (select from activity_receipt u join row_change r using (activity_id) join erased_tables() e using (table_name)
    where u.activity_id is distinct from current_activity() and coalesce(r.after, r.before) ->> e.place = any (places_of(person, e.link)));

-- Erases a person: deletes rows, replaces columns, and cuts both out of the history. Returns how many rows of each table there were.
create function erase_person(person text) returns jsonb language plpgsql as $$
declare
  e record;
  ids text[];
  type text;
  counted bigint;
  counts jsonb := '{}';
  salt text := encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid(), 'UTF8')), 'hex');
  token text := 'erased-' || left(replace(gen_random_uuid()::text, '-', ''), 12);
begin
  delete from session_use u using session s where u.sid = s.sid and s.login_id = person;
  delete from idempotent_answer a where a.login_id = person;
  for e in select * from erased_tables() order by step loop
    ids := places_of(person, e.link);
    continue when ids = '{}';
    type := (select format_type(atttypid, atttypmod) from pg_attribute where attrelid = e.table_name::regclass and attname = e.place);
    perform set_config('portal.forgets', jsonb_build_object('table', e.table_name, 'salt', salt, 'erases', true)::text, true);
    if e.columns is null then
      execute format('delete from %I t where t.%I = any ($1::%s[]) and (%s)', e.table_name, e.place, type, e.only_rows) using ids;
    else
      execute format('update %I t set %s where t.%I = any ($1::%s[]) and (%s)', e.table_name,
        (select string_agg(case when kind in ('false', 'null', 'token') then format('%I = %s', place, erased_value(kind, token))
          else format('%1$I = case when t.%1$I is not null then %2$s end', place, erased_value(kind, token)) end, ', ') from jsonb_each_text(e.columns) as of_table (place, kind)),
        e.place, type, e.only_rows) using ids;
    end if;
    get diagnostics counted = row_count;
    perform set_config('portal.forgets', '', true);
    if counted > 0 then counts := counts || jsonb_build_object(e.table_name, counted); end if;
    update row_change r set before = left_when_erased(e.table_name, r.before, salt), after = left_when_erased(e.table_name, r.after, salt)
      where r.table_name = e.table_name and erased_by(r.table_name) is not null and coalesce(r.after, r.before) ->> erased_by(r.table_name) = any (ids)
        and r.activity_id <> current_activity();
  end loop;
  return counts;
end $$;

-- What is still there of people who were erased, up to `most` of each table: for `registry verify`.
create function left_of_erased(most integer) returns table (table_name text, person text, what text) language plpgsql stable as $$
declare
  e record;
  of_person text;
begin
  for e in select * from erased_tables() order by step loop
    of_person := case e.link when 'login' then format('t.%I', e.place) else format('(select c.login_id from contact c where c.contact_id = t.%I)', e.place) end;
    return query execute format('select %L::text, %s::text, %L::text from %I t where %s in (select x.login_id from erasure x where x.state = ''erased'') and (%s) and %s limit $1',
      e.table_name, of_person, case when e.columns is null then 'a row' else 'a value' end, e.table_name, of_person, e.only_rows,
      case when e.columns is null then 'true' else 'not (' || (select string_agg(case when kind in ('null', 'false', 'token') then is_erased_value(kind, 't', place)
        else format('(t.%I is null or %s)', place, is_erased_value(kind, 't', place)) end, ' and ') from jsonb_each_text(e.columns) as of_table (place, kind)) || ')' end) using most;
  end loop;
end $$;
