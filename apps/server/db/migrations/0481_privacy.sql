-- Data that may not be deleted for now, because a court, an authority or a dispute asks for it: of an account, or of a person. Held until a second person releases it.
create table legal_hold (
  legal_hold_id bigint generated always as identity primary key,
  account_name  text references account,
  login_id      text references login,
  reason        text not null check (length(reason) between 3 and 500),
  placed_by     text not null references login,
  placed_at     timestamptz not null,
  released_by   text references login,
  released_at   timestamptz,
  check (num_nonnulls(account_name, login_id) = 1),
  check ((released_by is null) = (released_at is null))
);
create unique index legal_hold_account on legal_hold (account_name) where released_at is null;
create unique index legal_hold_login on legal_hold (login_id) where released_at is null;
create index legal_hold_of_account on legal_hold (account_name);
create index legal_hold_of_login on legal_hold (login_id);
create index on legal_hold (placed_by);
create index on legal_hold (released_by);
call keep_history('legal_hold');

-- How many rows of a kind of data ended on each day (UTC), because their time was over.
create table ended_data (
  kind text not null,
  day  date not null,
  rows integer not null check (rows > 0),
  primary key (kind, day)
);
call keep_history('ended_data', with_copy => false);

-- Ends rows of any table by a rule that its module declares (`over` in `keeps`, modules/privacy/ending-rows.ts):
--   {"table", "after", "only": {column: [values]}, "filled": [columns], "links": {column: "account"|"login"|"contact"},
--    "with": [{"table", "by", "names": [columns], "links"}]}
create function key_columns(target text) returns text[] language sql stable
  return (select array_agg(a.attname::text order by n.i) from pg_index x cross join unnest(x.indkey::int2[]) with ordinality n (attnum, i)
    join pg_attribute a on a.attnum = n.attnum and a.attrelid = x.indrelid where x.indrelid = target::regclass and x.indisprimary);

-- Whether a legal hold keeps the row of this alias, as a condition: it is of an account under one, or names a person under one.
create function held_condition(alias text, links jsonb) returns text language sql immutable
  return coalesce((select 'exists (select from legal_hold h where h.released_at is null and (' || string_agg(case link
      when 'account' then format('h.account_name = %I.%I', alias, place)
      when 'login' then format('h.login_id = %I.%I', alias, place)
      else format('exists (select from contact c where c.contact_id = %I.%I and (c.login_id = h.login_id or c.account_name = h.account_name))', alias, place) end, ' or ') || '))'
    from jsonb_each_text(links) as of_row (place, link)), 'false');
create function ending_held(rule jsonb) returns text language sql stable
  return '(' || held_condition('t', rule -> 'links') || coalesce((select string_agg(format(' or exists (select from %I p where p.%I = t.%I and %s)',
      part ->> 'table', part ->> 'by', (key_columns(rule ->> 'table'))[1], held_condition('p', part -> 'links')), '')
    from jsonb_array_elements(rule -> 'with') part), '') || ')';
-- Whether a row ends at all.
create function ending_condition(rule jsonb) returns text language sql immutable
  return 'true' || coalesce((select string_agg(format(' and t.%I = any (%L)', place, array(select jsonb_array_elements_text(options))), '')
      from jsonb_each(rule -> 'only') as of_rule (place, options)), '')
    || coalesce((select ' and (' || string_agg(format('t.%I is not null', place), ' or ') || ')' from jsonb_array_elements_text(rule -> 'filled') place), '');

-- Counts what is over and what a hold keeps of that, up to `most` each, and says when the oldest of the others began.
create function count_ending(rule jsonb, before timestamptz, most integer) returns table (over integer, held integer, oldest timestamptz) language plpgsql stable as $$
declare
  target text := rule ->> 'table';
  since text := rule ->> 'after';
begin
  return query execute format('select (select count(*)::int from (select from %1$I t where t.%2$I < $1 and %3$s and not %4$s limit $2) o),
      (select count(*)::int from (select from %1$I t where t.%2$I < $1 and %3$s and %4$s limit $2) o),
      (select min(t.%2$I)::timestamptz from %1$I t where t.%2$I >= $1 and %3$s)', target, since, ending_condition(rule), ending_held(rule)) using before, most;
end $$;

-- Deletes rows by their keys, and forgets them: in the history their key stays, and that they were there.
create function delete_forgotten(target text, gone jsonb, names text[]) returns void language plpgsql as $$
declare
  keys text[] := key_columns(target);
  columns text[] := array(select attname::text from pg_attribute where attrelid = target::regclass and attnum > 0 and not attisdropped and attname <> all (keys));
  salt text := encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid(), 'UTF8')), 'hex');
  is_copied boolean := exists (select from pg_trigger where tgrelid = target::regclass and tgname = 'z_keep_deleted');
begin
  if is_copied then
    perform cut_history(target, keys, (select jsonb_agg(row_key_of(k, keys)) from jsonb_array_elements(gone) k), columns, names, salt);
    perform set_config('portal.forgets', jsonb_build_object('columns', columns, 'names', names, 'salt', salt)::text, true);
  end if;
  execute format('delete from %1$I t using jsonb_populate_recordset(null::%1$I, $1) g where %2$s', target,
    (select string_agg(format('t.%1$I = g.%1$I', k), ' and ') from unnest(keys) k)) using gone;
  if is_copied then perform set_config('portal.forgets', '', true); end if;
end $$;

-- Ends rows whose time is over and that no hold keeps, the oldest first, with the rows that hang on them. A row with a change that isn't sealed yet ends later: only what is sealed
-- can be forgotten.
create function end_rows(rule jsonb, before timestamptz, most integer) returns integer language plpgsql as $$
declare
  target text := rule ->> 'table';
  keys text[] := key_columns(target);
  part jsonb;
  gone jsonb;
  parts jsonb;
begin
  execute format('select jsonb_agg(k) from (select (select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(t)) where key = any (%5$L)) as k
      from %1$I t where t.%2$I < $1 and %3$s and not %4$s
        and row_key_of(to_jsonb(t), %5$L) not in (select row_key_of(coalesce(r.after, r.before), %5$L)
          from activity_receipt u join row_change r using (activity_id) where r.table_name = %1$L)
      order by t.%2$I limit $2 for update of t skip locked) o', target, rule ->> 'after', ending_condition(rule), ending_held(rule), keys)
    into gone using before, most;
  if gone is null then return 0; end if;
  for part in select jsonb_array_elements(rule -> 'with') loop
    execute format('select jsonb_agg((select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(p)) where key = any (%3$L)))
      from %1$I p join jsonb_populate_recordset(null::%4$I, $1) g on p.%2$I = g.%5$I', part ->> 'table', part ->> 'by', key_columns(part ->> 'table'), target, keys[1])
      into parts using gone;
    if parts is not null then
      perform delete_forgotten(part ->> 'table', parts, array(select jsonb_array_elements_text(part -> 'names')));
    end if;
  end loop;
  perform delete_forgotten(target, gone, '{}');
  return jsonb_array_length(gone);
end $$;
