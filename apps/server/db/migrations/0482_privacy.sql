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

-- The period of each kind of data as runs take it: a shorter one in the profile waits some days, and a run that would end a large part of a table waits for two people.
create table ending_period (
  kind        text primary key,
  months      integer not null check (months >= 0),
  -- A shorter period of the profile, and since when it is there.
  shorter     integer check (shorter >= 0),
  shorter_at  timestamptz,
  -- Since when the next run waits.
  waits_since timestamptz,
  -- Who asked last that it goes on, and when a second person agreed.
  agreed_by   text references login,
  agreed_at   timestamptz,
  check ((shorter is null) = (shorter_at is null)),
  check ((agreed_by is null) = (agreed_at is null))
);
create index on ending_period (agreed_by);
call keep_history('ending_period');

-- How many rows of a kind of data ended on each day (UTC), because their time was over.
create table ended_data (
  kind text not null,
  day  date not null,
  rows integer not null check (rows > 0),
  primary key (kind, day)
);
call keep_history('ended_data', with_copy => false);

-- Ends rows of any table by a rule that its module declares (`over` in `keeps`, modules/privacy/ending-rows.ts):
--   {"table", "key", "after", "only": {column: [values]}, "filled": [columns], "except": {column: [values]},
--    "links": {column: "account"|"login"|"contact"|"document"}, "with": [{"table", "by", "found", "links"}]}
-- Whether a legal hold keeps the row of this alias, as a condition: it is of an account under one, or names a person under one.
create function held_condition(alias text, links jsonb) returns text language sql immutable
  return coalesce((select 'exists (select from legal_hold h where h.released_at is null and (' || string_agg(case link
      when 'account' then format('h.account_name = %I.%I', alias, place)
      when 'login' then format('h.login_id = %1$I.%2$I or exists (select from contact c where c.login_id = %1$I.%2$I and c.account_name = h.account_name)', alias, place)
      when 'document' then format('exists (select from document d where d.document_id = %I.%I and d.account_name = h.account_name)', alias, place)
      else format('exists (select from contact c where c.contact_id = %I.%I and (c.login_id = h.login_id or c.account_name = h.account_name))', alias, place) end, ' or ') || '))'
    from jsonb_each_text(links) as of_row (place, link)), 'false');
create function ending_held(rule jsonb) returns text language sql stable
  return '(' || held_condition('t', rule -> 'links') || coalesce((select string_agg(format(' or exists (select from %I p where p.%I = t.%I and %s)',
      part ->> 'table', part ->> 'by', rule ->> 'key', held_condition('p', part -> 'links')), '')
    from jsonb_array_elements(rule -> 'with') part), '') || ')';
-- Whether a row ends at all.
create function ending_condition(rule jsonb) returns text language sql immutable
  return 'true' || coalesce((select string_agg(format(' and t.%I = any (%L)', place, array(select jsonb_array_elements_text(options))), '')
      from jsonb_each(rule -> 'only') as of_rule (place, options)), '')
    || coalesce((select string_agg(format(' and t.%I <> all (%L)', place, array(select jsonb_array_elements_text(options))), '')
      from jsonb_each(rule -> 'except') as of_rule (place, options)), '')
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

-- Whether what is over is a large part of a table, as when a clock or a period is wrong: a hundred rows or more, and more than a fifth.
create function is_large_part(rule jsonb, before timestamptz) returns boolean language plpgsql stable as $$
declare
  ends_now bigint;
  counted bigint := (select reltuples::bigint from pg_class where oid = (rule ->> 'table')::regclass);
begin
  execute format('select count(*) from %I t where t.%I < $1 and %s', rule ->> 'table', rule ->> 'after', ending_condition(rule)) into ends_now using before;
  if ends_now < 100 then return false; end if;
  -- A table that was never analysed is counted.
  if counted <= 0 then execute format('select count(*) from %I', rule ->> 'table') into counted; end if;
  return ends_now * 5 > counted;
end $$;

-- Deletes rows of a table that end with these, and forgets them in the history, with those that were deleted before.
create function delete_forgotten(target text, place text, ids text[]) returns void language plpgsql as $$
declare
  salt text := encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid(), 'UTF8')), 'hex');
begin
  perform set_config('portal.forgets', jsonb_build_object('table', target, 'salt', salt)::text, true);
  execute format('delete from %I t where t.%I = any ($1::%s[])', target, place,
    (select format_type(atttypid, atttypmod) from pg_attribute where attrelid = target::regclass and attname = place)) using ids;
  perform set_config('portal.forgets', '', true);
  if place = forgotten_by(target) then perform cut_history(target, ids, salt); end if;
end $$;

-- Held by a run, shared, and by who places a hold: what was answered as placed holds.
create function lock_holds(is_run boolean) returns void language plpgsql as $$
begin
  if is_run then perform pg_advisory_xact_lock_shared(7331481); else perform pg_advisory_xact_lock(7331481); end if;
end $$;

-- Of rows of this alias: whether a change of them, or of a row that ends with them, is not sealed yet. Only what is sealed can be forgotten.
create function ending_unsealed(rule jsonb) returns text language sql immutable
  return format('(t.%1$I::text in (select coalesce(r.after, r.before) ->> %1$L from activity_receipt u join row_change r using (activity_id) where r.table_name = any (%2$L)))',
    rule ->> 'key', array(select rule ->> 'table' union all select part ->> 'table' from jsonb_array_elements(rule -> 'with') part));

-- Ends rows by their keys, with the rows that hang on them.
create function end_ids(rule jsonb, ids text[]) returns void language plpgsql as $$
declare
  part jsonb;
  own text[];
begin
  for part in select jsonb_array_elements(rule -> 'with') loop
    if part ->> 'found' = part ->> 'by' then
      perform delete_forgotten(part ->> 'table', part ->> 'by', ids);
    else
      -- The history finds it by its own key.
      execute format('select array_agg(p.%I::text) from %I p where p.%I::text = any ($1)', part ->> 'found', part ->> 'table', part ->> 'by') into own using ids;
      if own is not null then perform delete_forgotten(part ->> 'table', part ->> 'found', own); end if;
    end if;
  end loop;
  perform delete_forgotten(rule ->> 'table', rule ->> 'key', ids);
end $$;

-- Ends rows whose time is over and that no hold keeps, the oldest first. One that can't be deleted stops none of the others. Returns {"done": how many, "failed": [{"id", "why"}]}.
create function end_rows(rule jsonb, before timestamptz, most integer) returns jsonb language plpgsql as $$
declare
  ids text[];
  one text;
  done integer := 0;
  failed jsonb := '[]';
begin
  perform lock_holds(true);
  execute format('select array_agg(id) from (select t.%5$I::text as id from %1$I t where t.%2$I < $1 and %3$s and not %4$s and not coalesce(%6$s, false)
      order by t.%2$I limit $2 for update of t skip locked) o',
    rule ->> 'table', rule ->> 'after', ending_condition(rule), ending_held(rule), rule ->> 'key', ending_unsealed(rule)) into ids using before, most;
  if ids is null then return jsonb_build_object('done', 0, 'failed', failed); end if;
  begin
    perform end_ids(rule, ids);
    return jsonb_build_object('done', cardinality(ids), 'failed', failed);
  exception
    when serialization_failure or deadlock_detected then raise;
    when others then null;
  end;
  foreach one in array ids loop
    begin
      perform end_ids(rule, array[one]);
      done := done + 1;
    exception
      when serialization_failure or deadlock_detected then raise;
      when others then failed := failed || jsonb_build_object('id', one, 'why', sqlerrm);
    end;
  end loop;
  return jsonb_build_object('done', done, 'failed', failed);
end $$;
