-- What one person of the registry may do alone, as it was from some time on: the profile is a file, and this says what counted when.
create table limit_in_force (
  limit_in_force_id bigint generated always as identity primary key,
  name     text not null check (name in ('received', 'given', 'time', 'endings', 'holidays')),
  -- Money in the currency of the registry, days or accounts. Null where nothing is counted for an account.
  account  numeric(14, 2),
  person   numeric(14, 2) not null,
  everyone numeric(14, 2) not null,
  -- How many days count together.
  days     integer not null check (days > 0),
  since    timestamptz not null
);
create index on limit_in_force (name, limit_in_force_id);
call keep_history('limit_in_force');

-- What a person of the registry did that is limited: how much of it, when the server recorded it, and who approved it. Never changed.
create table limited_act (
  limited_act_id bigint generated always as identity primary key,
  name          text not null check (name in ('received', 'given', 'time', 'endings', 'holidays')),
  account_name  text references account,
  amount        numeric(14, 2) not null check (amount > 0),
  made_by       text not null references login,
  -- Null where one person did it alone.
  second_person text references login check (second_person <> made_by),
  -- By the clock of the server, whatever day the act was given.
  made_at       timestamptz not null,
  -- The line of the activity log.
  activity_id   bigint not null
);
create index on limited_act (account_name, name, made_at);
create index on limited_act (made_by, name, made_at);
create index on limited_act (second_person);
create index on limited_act (name, made_at);
call keep_history('limited_act');

create function refuse_change_of_limited_acts() returns trigger language plpgsql as $$
begin
  raise exception 'What was done under a limit stays: % is refused', lower(tg_op) using errcode = 'restrict_violation';
end $$;
create trigger refuse_change_of_limited_acts before update or delete on limited_act for each row execute function refuse_change_of_limited_acts();
create trigger refuse_change_of_limits before update or delete on limit_in_force for each row execute function refuse_change_of_limited_acts();

-- No payment that a person recorded, credit note, refund or write-off is without the act that was counted for it. One act counts for one of them.
alter table payment add limited_act_id bigint unique references limited_act,
  add constraint payment_is_counted check ((method = 'bank transfer') = (limited_act_id is not null));
alter table credit_note add limited_act_id bigint not null unique references limited_act;
alter table refund add limited_act_id bigint not null unique references limited_act;
alter table invoice add write_off_act_id bigint unique references limited_act,
  add constraint write_off_is_counted check ((state = 'written-off') = (write_off_act_id is not null));
