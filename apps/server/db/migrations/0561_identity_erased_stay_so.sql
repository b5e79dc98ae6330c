-- Nothing is written about a person who was erased: what `erased_tables()` deletes is refused, what it replaces keeps its replacements. A table that is added there calls
-- `refuse_erased` in the same migration (a test compares both). After the row, so that its reference to the login has waited for an erasure that is under way.
create function refuse_of_erased() returns trigger language plpgsql as $$
declare
  erased text;
  e record;
  is_of_them boolean;
begin
  if tg_argv[0] = 'login' then
    select x.login_id into erased from erasure x where x.login_id = new.login_id and x.state = 'erased';
  else
    select x.login_id into erased from contact c join erasure x using (login_id) where c.contact_id = new.contact_id and x.state = 'erased';
  end if;
  if erased is null then return null; end if;
  select * into e from erased_tables() t where t.table_name = tg_table_name;
  execute format('select exists (select from (select ($1::%I).*) t where (%s) and %s)', tg_table_name, e.only_rows,
    case when e.columns is null then 'true' else 'not (' || (select string_agg(case when kind in ('null', 'false', 'token') then is_erased_value(kind, 't', place)
      else format('(t.%I is null or %s)', place, is_erased_value(kind, 't', place)) end, ' and ') from jsonb_each_text(e.columns) as of_table (place, kind)) || ')' end) using new into is_of_them;
  if is_of_them then
    raise exception 'the person of the login % was erased: nothing of them is written to %', erased, tg_table_name;
  end if;
  return null;
end $$;
create procedure refuse_erased(target text) language plpgsql as $$
begin
  execute format('create trigger refuse_of_erased after insert or update on %I for each row execute function refuse_of_erased(%L)', target,
    (select link from erased_tables() t where t.table_name = target));
end $$;
-- Few rows: login, contact, login_preferences, login_subject, login_password, login_passkey, login_totp, login_recovery_code, login_link, code_failure, session, data_copy, mail, freeze_link, notification, notification_address, notification_preference, notification_digest, access_request, link_attempt, staff_group, case_reminder, case_watch, saved_queue, whois_follow, rdns_check, ticket_read, event_registration, event_certificate, announcement_feed, announcement_reader, quality_recipient.
do $$
declare target text;
begin
  for target in select table_name from erased_tables() order by step loop
    call refuse_erased(target);
  end loop;
end $$;

-- Nor does anything of them live again: the login stays disabled, without contacts, keys and sessions.
create function refuse_life_of_erased() returns trigger language plpgsql as $$
begin
  if exists (select from erasure x where x.login_id = new.login_id and x.state = 'erased') then
    raise exception 'the person of the login % was erased: their % is not opened again', new.login_id, tg_table_name;
  end if;
  return null;
end $$;
create trigger refuse_life_of_erased after update of disabled_at on login for each row when (new.disabled_at is null) execute function refuse_life_of_erased();
create trigger refuse_life_of_erased after insert or update of status, login_id on contact for each row when (new.status <> 'removed') execute function refuse_life_of_erased();
create trigger refuse_life_of_erased after insert or update of revoked_at, login_id on api_key for each row when (new.revoked_at is null) execute function refuse_life_of_erased();
create trigger refuse_life_of_erased after insert or update of ended_at, login_id on session for each row when (new.ended_at is null) execute function refuse_life_of_erased();

-- What of people who were erased lives all the same, up to `most` of each: for `registry verify`.
create function alive_of_erased(most integer) returns table (table_name text, person text) language sql stable as $$
  (select 'login', l.login_id from login l join erasure x using (login_id) where x.state = 'erased' and l.disabled_at is null limit most)
  union all (select 'contact', c.login_id from contact c join erasure x using (login_id) where x.state = 'erased' and c.status <> 'removed' limit most)
  union all (select 'api_key', k.login_id from api_key k join erasure x using (login_id) where x.state = 'erased' and k.revoked_at is null limit most)
  union all (select 'session', s.login_id from session s join erasure x using (login_id) where x.state = 'erased' and s.ended_at is null limit most)
$$;
