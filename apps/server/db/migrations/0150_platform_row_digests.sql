-- Digests of what the history does not copy: secret columns, and rows of tables that keep no copies. What is changed past the portal shows by them, as a row that is
-- copied shows by its history; they are sealed with the activity that wrote them.

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
create trigger a_require_activity before insert on row_digest for each statement execute function require_activity();
create trigger append_only before update or delete or truncate on row_digest for each statement execute function append_only();

-- An HMAC of the seal with a key that follows from SECRET_KEY: who has the database alone can compute the hashes of a chain, and not this. Null for seals older than it.
alter table activity_seal add column mark bytea;

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

-- As it was, and with digests of what it does not copy.
--   with_digests => false     for what is made anew from other tables, or carries a signature of its own
drop procedure keep_history(regclass, boolean, text[]);
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

-- Tables that were there before: all but those that are made anew from others (announcements and their colours, states of zones, what finds a whois object, what waits to
-- be done), or carry signatures (the RPKI repository). Their present rows are digested as they are now, in an activity of their own.
do $$
declare
  target regclass;
  line bigint;
begin
  if exists (select from activity) then
    insert into activity (action, summary, trace_id)
      values ('operator.migrate', 'Took digests of what the history does not copy', replace(gen_random_uuid()::text, '-', '')) returning activity_id into line;
    perform set_config('portal.activity_id', line::text, true);
  end if;
  for target in
    select c.oid from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'a_require_activity')
      and exists (select from pg_index x where x.indrelid = c.oid and x.indisprimary)
      and c.relname not in ('row_change', 'row_digest', 'bgp_announcement', 'route_list', 'route_alert', 'rdns_check', 'rdns_lame_server', 'rdns_parent', 'rdns_published', 'rdns_zone',
        'rpki_certificate', 'rpki_child_judgement', 'rpki_child_vrp', 'rpki_due', 'rpki_manifest', 'rpki_object', 'rrdp_delta', 'rrdp_session',
        'whois_due_account', 'whois_follow_progress', 'whois_key', 'whois_object', 'whois_reference', 'whois_task_item')
    order by c.relname loop
    call keep_digests(target);
  end loop;
  perform set_config('portal.activity_id', '', true);
end $$;
