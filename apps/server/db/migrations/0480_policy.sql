-- Changes of the registry's policy that count from a day on (decision 298).

-- A change that a person of the staff prepared: its day, why, and who confirmed it. It is never another one afterwards.
create table policy_change (
  policy_change_id bigint generated always as identity primary key,
  -- The first day on which its values count, and the instant at which this day begins for the registry.
  valid_from   date not null,
  begins_at    timestamptz not null,
  reason       text not null check (reason <> ''),
  -- The decision that it follows, such as minutes.
  decision     text not null default '',
  prepared_by  text not null references login,
  prepared_at  timestamptz not null,
  -- Who asked for the confirmation, and the second person who gave it.
  proposed_by  text references login,
  confirmed_by text references login,
  confirmed_at timestamptz,
  -- Discarded before it was confirmed, or withdrawn afterwards: by whom, and by which second person.
  ended_by     text references login,
  ended_with   text references login,
  ended_at     timestamptz,
  -- The announcement to members that was written with it as a draft; once it is withdrawn, the draft of the one that says so.
  announcement_id bigint references announcement,
  -- When staff were reminded that its day comes.
  reminded_at  timestamptz,
  check ((proposed_by is null) = (confirmed_at is null) and (confirmed_by is null) = (confirmed_at is null)),
  check ((ended_by is null) = (ended_at is null)),
  -- Two people, each time.
  constraint policy_change_two_people check (confirmed_by <> proposed_by and ended_with <> ended_by
    and (confirmed_at is null or ended_at is null or ended_with is not null)),
  -- Every process has read it before it counts, and none goes on with one that was withdrawn.
  constraint policy_change_in_time check (confirmed_at <= begins_at - interval '1 hour'
    and (confirmed_at is null or ended_at is null or ended_at <= begins_at - interval '1 hour'))
);
create index on policy_change (prepared_by);
create index on policy_change (proposed_by);
create index on policy_change (confirmed_by);
create index on policy_change (ended_by);
create index on policy_change (ended_with);
create index on policy_change (announcement_id);
call keep_history('policy_change');

-- A value of a change, by its name in the profile: a number, or an amount or share as text.
create table policy_value (
  policy_change_id bigint not null references policy_change,
  name         text not null check (name <> ''),
  value        jsonb not null check (jsonb_typeof(value) in ('number', 'string')),
  -- What it was before its day when the change was prepared.
  before       jsonb not null check (jsonb_typeof(before) in ('number', 'string')),
  -- As of its change, so that no two confirmed changes of a value begin on one day.
  valid_from   date not null,
  is_confirmed boolean not null default false,
  primary key (policy_change_id, name)
);
create unique index policy_value_of_day on policy_value (name, valid_from) where is_confirmed;
call keep_history('policy_value');

create function refuse_other_policy() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'A change of the policy stays in its history' using errcode = 'restrict_violation';
  end if;
  if (new.valid_from, new.begins_at, new.reason, new.decision, new.prepared_by, new.prepared_at)
      is distinct from (old.valid_from, old.begins_at, old.reason, old.decision, old.prepared_by, old.prepared_at) then
    raise exception 'A change of the policy is never another one: prepare a new one' using errcode = 'restrict_violation';
  end if;
  if old.ended_at is not null or (old.confirmed_at is not null and new.confirmed_at is distinct from old.confirmed_at) then
    if (new.proposed_by, new.confirmed_by, new.confirmed_at, new.ended_by, new.ended_with, new.ended_at)
        is distinct from (old.proposed_by, old.confirmed_by, old.confirmed_at, old.ended_by, old.ended_with, old.ended_at) then
      raise exception 'The change of the policy is over, and stays as it was' using errcode = 'restrict_violation';
    end if;
  end if;
  return new;
end $$;
create trigger refuse_other_policy before update or delete on policy_change for each row execute function refuse_other_policy();

create function refuse_other_policy_value() returns trigger language plpgsql as $$
declare
  of policy_change;
begin
  if tg_op = 'DELETE' or (tg_op = 'UPDATE' and (new.policy_change_id, new.name, new.value, new.before, new.valid_from)
      is distinct from (old.policy_change_id, old.name, old.value, old.before, old.valid_from)) then
    raise exception 'The values of a change of the policy stay' using errcode = 'restrict_violation';
  end if;
  select * into of from policy_change where policy_change_id = new.policy_change_id;
  if tg_op = 'INSERT' and (of.proposed_by is not null or of.ended_at is not null) then
    raise exception 'A value is added to a change of the policy before it is confirmed, never afterwards' using errcode = 'restrict_violation';
  end if;
  if new.valid_from <> of.valid_from or new.is_confirmed <> (of.confirmed_at is not null and of.ended_at is null) then
    raise exception 'A value of the policy counts as its change does' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger refuse_other_policy_value before insert or update or delete on policy_value for each row execute function refuse_other_policy_value();
