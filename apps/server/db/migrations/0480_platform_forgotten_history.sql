-- Personal data leaves the history, and the seals over it stay right (docs/decisions/0299): a row of the history that is cut keeps the hash that its seal has,
-- and what is left of it is hashed in a table whose own rows are sealed.

-- SHA-256 of the row as it was written, once something was cut out of it: its seal was made over this.
alter table row_change add column sealed_as bytea;

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

-- A row without its personal columns. Personal columns of its key get a name that nothing leads back from: the salt is lost with the transaction.
create function forget(r jsonb, columns text[], names text[], salt text) returns jsonb language sql immutable
  return (r - columns) || coalesce((select jsonb_object_agg(n, to_jsonb('erased-' || left(encode(sha256(convert_to(salt || (r ->> n), 'UTF8')), 'hex'), 32)))
    from unnest(names) n where r ->> n is not null and r ->> n not like 'erased-%'), '{}');

-- What the current change forgets, of all rows that it updates or deletes: `columns`, `names` and `salt` of forget(). Null for all others.
create function forgotten_now() returns jsonb language sql stable
  return nullif(current_setting('portal.forgets', true), '')::jsonb;

create function kept_of(r jsonb) returns jsonb language sql stable
  return case when forgotten_now() is null then r else forget(r, array(select jsonb_array_elements_text(forgotten_now() -> 'columns')),
    array(select jsonb_array_elements_text(forgotten_now() -> 'names')), forgotten_now() ->> 'salt') end;

create or replace function keep_deleted() returns trigger language plpgsql as $$
declare secrets text[] := coalesce(tg_argv, '{}');
begin
  insert into row_change (activity_id, table_name, operation, before)
  select current_setting('portal.activity_id')::bigint, tg_table_name, 'DELETE',
    kept_of(case when secrets = '{}' then to_jsonb(r) else to_jsonb(r) - secrets end)
  from deleted r;
  return null;
end $$;

create or replace function keep_updated() returns trigger language plpgsql as $$
declare secrets text[] := coalesce(tg_argv, '{}');
begin
  insert into row_change (activity_id, table_name, operation, before, after)
  values (current_setting('portal.activity_id')::bigint, tg_table_name, 'UPDATE', kept_of(to_jsonb(old) - secrets), kept_of(to_jsonb(new) - secrets));
  return null;
end $$;

-- The history loses columns, and gains or changes nothing. Only what is sealed: its seal then has the hash of what it was.
create function only_forget() returns trigger language plpgsql as $$
begin
  if current_activity() is null then
    raise exception 'change of row_change outside a recorded activity';
  end if;
  if to_jsonb(old) - '{before,after,sealed_as}'::text[] is distinct from to_jsonb(new) - '{before,after,sealed_as}'::text[]
    or (old.before is null) is distinct from (new.before is null) or (old.after is null) is distinct from (new.after is null)
    or exists (select from (select * from jsonb_each(coalesce(new.before, '{}')) union all select * from jsonb_each(coalesce(new.after, '{}'))) n
      where n.value is distinct from old.before -> n.key and n.value is distinct from old.after -> n.key and n.value #>> '{}' not like 'erased-%') then
    raise exception 'row_change only grows: what was kept may be forgotten, and not changed';
  end if;
  if not exists (select from activity_seal s where s.activity_id = old.activity_id) then
    raise exception 'row_change % is not sealed yet', old.row_change_id;
  end if;
  new.sealed_as := coalesce(old.sealed_as, row_change_digest(old));
  return new;
end $$;
create function keep_cut() returns trigger language plpgsql as $$
begin
  insert into history_cut (row_change_id, digest) values (new.row_change_id, row_change_digest(new))
    on conflict (row_change_id) do update set digest = excluded.digest;
  return null;
end $$;
drop trigger append_only on row_change;
create trigger append_only before delete or truncate on row_change for each statement execute function append_only();
create trigger only_forget before update on row_change for each row execute function only_forget();
create trigger z_keep_cut after update on row_change for each row when (old.* is distinct from new.*) execute function keep_cut();

-- It follows the history by a trigger, and nothing else writes it.
create trigger a_by_hand before insert or update or delete on history_cut for each statement when (pg_trigger_depth() = 0) execute function refuse_by_hand();

-- Cuts personal columns out of the sealed history of these rows of a table. What the current change writes itself, forgotten_now() keeps out.
create function cut_history(target text, keys text[], cut jsonb, columns text[], names text[], salt text) returns bigint language sql as $$
  with gone as (
    update row_change r set before = forget(r.before, columns, names, salt), after = forget(r.after, columns, names, salt)
    where r.table_name = target and r.activity_id <> current_activity() and row_key_of(coalesce(r.after, r.before), keys) in (select jsonb_array_elements(cut))
    returning 1)
  select count(*) from gone;
$$;
