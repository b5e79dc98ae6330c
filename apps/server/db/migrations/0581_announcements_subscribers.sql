-- An address that gets e-mails about incidents and planned work, after its reader confirmed it. No one has to have a login for it.
create table announcement_subscriber (
  subscriber_id bigint generated always as identity primary key,
  email         text not null check (length(email) between 3 and 254),
  -- Services by their names on the status page; none: all of them.
  services      text[] not null default '{}' check (cardinality(services) <= 30),
  confirmed_at  timestamptz not null
);
create unique index announcement_subscriber_email on announcement_subscriber (lower(email));
call keep_history('announcement_subscriber', with_copy => false);

-- When all subscribers were mailed; meanwhile, the last one who was.
-- Few rows: announcement, announcement_update.
alter table announcement add column mailed_at timestamptz, add column mailed_to bigint not null default 0;
alter table announcement_update add column mailed_at timestamptz, add column mailed_to bigint not null default 0;
