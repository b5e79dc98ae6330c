-- What registry staff keep beside cases: who watches one, when someone is reminded of one, and which belong together. `resources` stands for transfers too: they share their
-- numbers.

-- A case that a person of registry staff watches. `seen`: its state and who had it when they were last notified.
create table case_watch (
  case_watch_id bigint generated always as identity primary key,
  login_id   text not null references login,
  kind       text not null check (kind in ('applications', 'contacts', 'organisations', 'closures', 'resources', 'tickets')),
  case_id    text not null check (case_id ~ '^[0-9]{1,15}$'),
  seen       text not null check (length(seen) <= 300),
  watched_at timestamptz not null,
  unique (login_id, kind, case_id)
);
create index on case_watch (kind, case_id);
call keep_history('case_watch');

-- A day on which a person of registry staff is reminded of a case: on the desk, and by e-mail if they wish.
create table case_reminder (
  case_reminder_id bigint generated always as identity primary key,
  login_id   text not null references login,
  kind       text not null check (kind in ('applications', 'contacts', 'organisations', 'closures', 'resources', 'tickets')),
  case_id    text not null check (case_id ~ '^[0-9]{1,15}$'),
  -- A day of the registry’s calendar.
  day        date not null,
  words      text not null check (length(words) <= 200),
  by_mail    boolean not null,
  mailed_at  timestamptz,
  created_at timestamptz not null,
  check (mailed_at is null or by_mail)
);
create index on case_reminder (login_id, day);
create index case_reminder_due on case_reminder (day) where by_mail and mailed_at is null;
call keep_history('case_reminder');

-- Two cases that belong together, in either order.
create table case_link (
  case_link_id  bigint generated always as identity primary key,
  kind          text not null check (kind in ('applications', 'contacts', 'organisations', 'closures', 'resources', 'tickets')),
  case_id       text not null check (case_id ~ '^[0-9]{1,15}$'),
  other_kind    text not null check (other_kind in ('applications', 'contacts', 'organisations', 'closures', 'resources', 'tickets')),
  other_case_id text not null check (other_case_id ~ '^[0-9]{1,15}$'),
  login_id      text not null references login,
  linked_at     timestamptz not null,
  check (kind <> other_kind or case_id <> other_case_id)
);
create unique index case_link_pair on case_link (
  least(kind || '-' || case_id, other_kind || '-' || other_case_id), greatest(kind || '-' || case_id, other_kind || '-' || other_case_id)
);
create index on case_link (kind, case_id);
create index on case_link (other_kind, other_case_id);
create index on case_link (login_id);
call keep_history('case_link');
