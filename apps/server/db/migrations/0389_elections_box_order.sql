-- The ballot box keeps no order of casting (decision 285): while a vote runs its rows are written anew in the order of their receipts, and once it is empty its file is exchanged.
do $$
declare
  portal text := current_user;
  owner text := (select pg_get_userbyid(c.relowner) from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'ballots' and c.relname = 'ballot');
  is_super boolean := (select rolsuper from pg_roles where rolname = current_user);
begin
  -- As in 0024: who made the role of the box may act as it for this change.
  if owner <> portal and not is_super then
    execute format('grant %I to %I', owner, portal);
  end if;

  -- Whether all rows of the box were written together: none tells by its transaction or its place when it was cast.
  execute $make$
    create function ballots.is_mixed() returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $body$
      select count(distinct b.xmin::text) <= 1 from ballots.ballot b
    $body$
  $make$;

  -- Whether the box is empty, and its file still has what was in it.
  execute $make$
    create function ballots.is_unwiped() returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $body$
      select pg_relation_size('ballots.ballot') > 0 and not exists (select from ballots.ballot)
    $body$
  $make$;

  -- Writes the rows of the box anew, in the order of their receipts. Returns how many there are.
  execute $make$
    create function ballots.mix_box() returns integer language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
    declare
      kept ballots.ballot[];
    begin
      if coalesce(current_setting('portal.activity_id', true), '') = '' then
        raise exception 'the box is mixed within an activity only';
      end if;
      -- Ballots that are being cast are waited for, and those to come wait: none is lost between reading and writing.
      lock table ballots.ballot in share row exclusive mode;
      select array_agg(b order by b.receipt) into kept from ballots.ballot b;
      delete from ballots.ballot;
      insert into ballots.ballot select u.receipt, u.election_id, u.generation, u.votes, u.choices from unnest(kept) u order by u.receipt;
      return coalesce(cardinality(kept), 0);
    end $body$
  $make$;

  -- Exchanges the file of the empty box, so that nothing of what was in it is left there. False where it is not empty.
  execute $make$
    create function ballots.wipe_box() returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s' as $body$
    begin
      if coalesce(current_setting('portal.activity_id', true), '') = '' then
        raise exception 'the box is wiped within an activity only';
      end if;
      lock table ballots.ballot in access exclusive mode;
      if exists (select from ballots.ballot) then
        return false;
      end if;
      truncate ballots.ballot;
      return true;
    exception when lock_not_available then
      return false;
    end $body$
  $make$;

  -- As before, and in turn with the mixing.
  execute $make$
    create or replace function ballots.empty_box(election bigint) returns table (receipt text, election_id bigint, generation integer, votes integer, choices integer[])
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
    #variable_conflict use_column
    begin
      if coalesce(current_setting('portal.activity_id', true), '') = '' then
        raise exception 'the box is emptied within an activity only';
      end if;
      if not ballots.is_over(election) then
        raise exception 'election % is not over', election;
      end if;
      lock table ballots.ballot in share row exclusive mode;
      return query delete from ballots.ballot b where b.election_id = election returning b.receipt, b.election_id, b.generation, b.votes, b.choices;
    end $body$
  $make$;
  revoke all on function ballots.is_mixed(), ballots.is_unwiped(), ballots.mix_box(), ballots.wipe_box() from public;
  if owner <> portal then
    execute format('alter function ballots.is_mixed() owner to %I', owner);
    execute format('alter function ballots.is_unwiped() owner to %I', owner);
    execute format('alter function ballots.mix_box() owner to %I', owner);
    execute format('alter function ballots.wipe_box() owner to %I', owner);
    execute format('grant execute on function ballots.is_mixed(), ballots.is_unwiped(), ballots.mix_box(), ballots.wipe_box() to %I', portal);
    if not is_super then
      execute format('revoke %I from %I', owner, portal);
    end if;
  end if;
exception when insufficient_privilege then
  -- As an administrator: grant the role of the box to the portal's, run this file within an activity of an administrator, and revoke it.
  raise notice 'The ballot box keeps the order of casting: %', sqlerrm;
end $$;
