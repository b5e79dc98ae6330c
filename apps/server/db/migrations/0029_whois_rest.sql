-- Made by its whois object, and not in the register: it goes when that object is deleted. Whoever edits it in the register makes it its own.
alter table assignment add column from_whois boolean not null default false;

-- The last users of a maintainer that somebody took it from: they lose it a day later, unless the mailed code is used (domain/resources.md 4.8).
create table maintainer_last_user (
  account_name text not null references account,
  maintainer   text not null,
  contact_ids  uuid[] not null check (contact_ids <> '{}'),
  code_hash    text not null,
  wrong_codes  integer not null default 0,
  asked_at     timestamptz not null,
  due_at       timestamptz not null,
  primary key (account_name, maintainer)
);
create index on maintainer_last_user (due_at);
call keep_history('maintainer_last_user', secret_columns => '{code_hash}');

-- Who has an object open in the editor: seconds of life, lost without harm.
create unlogged table whois_presence (
  account_name text not null,
  class        text not null,
  key          text not null,
  contact_id   uuid not null,
  seen_at      timestamptz not null,
  primary key (account_name, class, key, contact_id)
);

-- What the link that unsubscribes ends, where that is less than all e-mails of the topic: ids of follows, with blanks between.
alter table mail add column unsubscribes_from text;
