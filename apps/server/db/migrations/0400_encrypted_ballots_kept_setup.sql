-- What an election with encrypted ballots was first set up with stays, also while its roll is corrected and its ballot set up again (decision 283). Expands.

-- When its ballot was first set up: from then on questions, answers, trustees and key stay.
alter table election add column first_set_up_at timestamptz;

-- When returning officers were last reminded of an objection that is open.
alter table roll_objection add column reminded_at timestamptz;

do $$
declare line bigint;
begin
  if exists (select from election where set_up_at is not null) or exists (select from replaced_archive) then
    insert into activity (action, summary, trace_id)
      values ('operator.migrate', 'Kept when encrypted ballots were first set up', replace(gen_random_uuid()::text, '-', '')) returning activity_id into line;
    perform set_config('portal.activity_id', line::text, true);
    update election e set first_set_up_at = coalesce((select min(r.replaced_at) from replaced_archive r where r.election_id = e.election_id), e.set_up_at)
      where e.set_up_at is not null or exists (select from replaced_archive r where r.election_id = e.election_id);
    perform set_config('portal.activity_id', '', true);
  end if;
end $$;

create function setup_is_kept() returns trigger language plpgsql as $$
begin
  if old.first_set_up_at is null then
    new.first_set_up_at := new.set_up_at;
  elsif (new.first_set_up_at, new.kind, new.ballots, new.title, new.description, new.seats)
      is distinct from (old.first_set_up_at, old.kind, old.ballots, old.title, old.description, old.seats) then
    raise exception 'the ballot of election % was set up: its questions stay', old.election_id;
  end if;
  return new;
end $$;
create trigger b_setup_is_kept before update on election for each row execute function setup_is_kept();

create function was_set_up(id bigint) returns boolean language sql stable as $$
  select exists (select from election e where e.election_id = id and e.first_set_up_at is not null)
$$;

create function answers_stay() returns trigger language plpgsql as $$
begin
  if was_set_up(coalesce(new.election_id, old.election_id)) then
    raise exception 'the ballot of election % was set up: its answers stay', coalesce(new.election_id, old.election_id);
  end if;
  return coalesce(new, old);
end $$;
create trigger b_answers_stay before insert or update or delete on election_option for each row execute function answers_stay();

-- Of a trustee only the decryption and the mails change.
create function trustees_stay() returns trigger language plpgsql as $$
begin
  if was_set_up(coalesce(new.election_id, old.election_id)) and (tg_op <> 'UPDATE'
    or (new.election_id, new.place, new.login_id, new.own_key, new.certificate, new.polynomial, new.input, new.share)
      is distinct from (old.election_id, old.place, old.login_id, old.own_key, old.certificate, old.polynomial, old.input, old.share)) then
    raise exception 'the ballot of election % was set up: its trustees stay', coalesce(new.election_id, old.election_id);
  end if;
  return coalesce(new, old);
end $$;
create trigger b_trustees_stay before insert or update or delete on ballot_trustee for each row execute function trustees_stay();

-- The key stays; another authority makes the codes of a corrected roll.
create function key_stays() returns trigger language plpgsql as $$
begin
  if was_set_up(old.election_id) and (tg_op = 'DELETE' or (new.election_id, new.threshold, new.trustee_keys) is distinct from (old.election_id, old.threshold, old.trustee_keys)) then
    raise exception 'the ballot of election % was set up: its key stays', old.election_id;
  end if;
  return coalesce(new, old);
end $$;
create trigger b_key_stays before update or delete on encrypted_ballot for each row execute function key_stays();

-- The roll of an election whose ballot was set up changes by an objection that was upheld, and by nothing else; while it is set up it stays.
create or replace function roll_stays() returns trigger language plpgsql as $$
begin
  if exists (select from election e where e.election_id = coalesce(new.election_id, old.election_id) and e.set_up_at is not null) then
    raise exception 'the ballot of election % is set up: its roll stays', coalesce(new.election_id, old.election_id);
  end if;
  if was_set_up(coalesce(new.election_id, old.election_id)) and (tg_op = 'DELETE'
    or (tg_op = 'UPDATE' and (new.election_id, new.account_name) is distinct from (old.election_id, old.account_name))
    or not exists (select from roll_objection o where o.election_id = new.election_id and o.account_name = new.account_name and o.state = 'upheld' and o.votes_given = new.votes)) then
    raise exception 'the roll of election % changes by an objection that was upheld only', coalesce(new.election_id, old.election_id);
  end if;
  return coalesce(new, old);
end $$;

-- An archive has no ballot and no end while an objection is open: voting has not begun.
create or replace function ballot_awaits_objections() returns trigger language plpgsql as $$
begin
  if new.kind in ('Ballot', 'EndBallots') and exists (select from roll_objection o where o.election_id = new.election_id and o.state = 'open') then
    raise exception 'an objection to the roll of election % is not decided', new.election_id;
  end if;
  return new;
end $$;
