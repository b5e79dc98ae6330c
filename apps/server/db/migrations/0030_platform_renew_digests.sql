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
