-- The order of candidates on a ballot follows from a seed that anyone recomputes (decision 284). It is drawn as the election is published, when its hash is shown, and shown itself as candidates are put on the ballot.
create table ballot_order (
  election_id bigint primary key references election,
  -- 32 random bytes in hexadecimal.
  seed        text not null check (seed ~ '^[0-9a-f]{64}$'),
  drawn_at    timestamptz not null,
  -- When the seed was first used, and so shown.
  used_at     timestamptz
);
call keep_history('ballot_order');

-- A seed is drawn once.
create function seed_stays() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.seed <> old.seed or new.election_id <> old.election_id or (old.used_at is not null and new.used_at is distinct from old.used_at) then
    raise exception 'the seed of election % stays', old.election_id;
  end if;
  return new;
end $$;
create trigger b_seed_stays before update or delete on ballot_order for each row execute function seed_stays();
