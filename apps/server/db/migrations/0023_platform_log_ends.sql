-- What logs that only grow have been told to hold, kept apart from them: an end that is cut off, or a line that is taken out whole, shows by it.

-- Activities that are written and not sealed yet. Written with the activity and deleted with its seal.
create table activity_receipt (
  activity_id bigint primary key
);
insert into activity_receipt select activity_id from activity a where not exists (select from activity_seal s where s.activity_id = a.activity_id);

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

create function keep_journal_end() returns trigger language plpgsql as $$
declare
  added bigint;
  before bigint := coalesce((select lines from log_end where log = 'whois_journal' for update), 0);
begin
  select count(*) into added from inserted;
  if added = 0 then return null; end if;
  insert into log_end as e (log, lines, last, hash, digest)
    select 'whois_journal', before + added, serial, coalesce(j.digest, ''), log_end_digest('whois_journal', before + added, serial, coalesce(j.digest, ''))
    from inserted j order by serial desc limit 1
    on conflict (log) do update set lines = excluded.lines, last = excluded.last, hash = excluded.hash, digest = excluded.digest;
  return null;
end $$;
create trigger z_keep_end after insert on whois_journal referencing new table as inserted for each statement execute function keep_journal_end();

insert into log_end (log, lines, last, hash, digest)
  select 'activity_seal', position, position, hash, log_end_digest('activity_seal', position, position, hash) from activity_seal order by position desc limit 1;
insert into log_end (log, lines, last, hash, digest)
  select 'whois_journal', (select count(*) from whois_journal), serial, coalesce(digest, ''),
    log_end_digest('whois_journal', (select count(*) from whois_journal), serial, coalesce(digest, ''))
  from whois_journal order by serial desc limit 1;

-- Both follow their logs by the triggers above, and nobody else writes them.
create function refuse_by_hand() returns trigger language plpgsql as $$
begin
  raise exception '% follows its log: % by hand is refused', tg_table_name, lower(tg_op);
end $$;
create trigger a_by_hand before insert or update or delete on activity_receipt for each statement when (pg_trigger_depth() = 0) execute function refuse_by_hand();
create trigger a_by_hand before insert or update or delete on log_end for each statement when (pg_trigger_depth() = 0) execute function refuse_by_hand();
create trigger append_only before truncate on activity_receipt for each statement execute function append_only();
create trigger append_only before truncate on log_end for each statement execute function append_only();
