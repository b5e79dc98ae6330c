-- Changes of the registry's brand: names, contact, links and colours (decision 327).

-- A change that a person of the staff prepared: what it sets, from when on, why, and who confirmed it. It is never another one afterwards.
create table brand_change (
  brand_change_id bigint generated always as identity primary key,
  -- The first day on which it is in force; null: as soon as it is confirmed.
  valid_from   date,
  -- The instant at which it is in force for the registry, from its confirmation on.
  begins_at    timestamptz,
  -- By name in the profile: {"registryName": {"before": "…", "after": "…"}}. Before is what it was when the change was prepared.
  changed      jsonb not null check (jsonb_typeof(changed) = 'object' and changed <> '{}'),
  reason       text not null check (reason <> ''),
  prepared_by  text not null references login,
  prepared_at  timestamptz not null,
  -- Who asked for the confirmation, and the second person who gave it.
  proposed_by  text references login,
  confirmed_by text references login,
  confirmed_at timestamptz,
  -- Discarded before it was confirmed, or withdrawn before its day: by whom, and by which second person.
  ended_by     text references login,
  ended_with   text references login,
  ended_at     timestamptz,
  check ((proposed_by is null) = (confirmed_at is null) and (confirmed_by is null) = (confirmed_at is null)
    and (begins_at is null) = (confirmed_at is null)),
  check ((ended_by is null) = (ended_at is null)),
  -- Two people, each time.
  constraint brand_change_two_people check (confirmed_by <> proposed_by and ended_with <> ended_by
    and (confirmed_at is null or ended_at is null or ended_with is not null)),
  constraint brand_change_in_time check (begins_at >= confirmed_at and (confirmed_at is null or ended_at is null or ended_at < begins_at))
);
create index on brand_change (prepared_by);
create index on brand_change (proposed_by);
create index on brand_change (confirmed_by);
create index on brand_change (ended_by);
create index on brand_change (ended_with);
call keep_history('brand_change');

create function refuse_other_brand() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'A change of the brand stays in its history' using errcode = 'restrict_violation';
  end if;
  if (new.valid_from, new.changed, new.reason, new.prepared_by, new.prepared_at)
      is distinct from (old.valid_from, old.changed, old.reason, old.prepared_by, old.prepared_at) then
    raise exception 'A change of the brand is never another one: prepare a new one' using errcode = 'restrict_violation';
  end if;
  if old.confirmed_at is not null and (new.begins_at, new.proposed_by, new.confirmed_by, new.confirmed_at)
      is distinct from (old.begins_at, old.proposed_by, old.confirmed_by, old.confirmed_at) then
    raise exception 'A confirmed change of the brand stays as it was' using errcode = 'restrict_violation';
  end if;
  if old.ended_at is not null then
    raise exception 'The change of the brand is over, and stays as it was' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger refuse_other_brand before update or delete on brand_change for each row execute function refuse_other_brand();
