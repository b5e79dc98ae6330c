-- Updates of whois objects that lack one word: routes of which only the holder of the addresses or of the AS number has agreed, resources that
-- name somebody else's irt. They wait seven days for it (domain/resources.md 2.4, 4.9; modules/whois/consents.ts).
create table whois_consent (
  consent_id   bigint generated always as identity primary key,
  account_name text not null references account,
  contact_id   uuid not null references contact,
  -- What is submitted once somebody agrees: objects parted by empty lines.
  text         text not null,
  -- `route 192.0.2.0/24AS64500`
  objects      text[] not null,
  -- Keys of the maintainers of which any one can agree, and what they are asked, in words.
  maintainers  text[] not null check (maintainers <> '{}'),
  why          text not null,
  state        text not null default 'waiting' check (state in ('waiting', 'accepted', 'failed', 'refused', 'withdrawn', 'expired')),
  -- Why it was refused, or what stood against it when it was accepted.
  reason       text not null default '',
  asked_at     timestamptz not null,
  due_at       timestamptz not null,
  -- How often those who are asked were reminded.
  reminders    integer not null default 0,
  decided_at   timestamptz,
  decided_by   uuid references contact
);
-- The same is not asked twice.
create unique index whois_consent_waiting on whois_consent (account_name, md5(text)) where state = 'waiting';
create index whois_consent_due on whois_consent (due_at) where state = 'waiting';
create index whois_consent_asked on whois_consent (account_name, asked_at);
create index whois_consent_maintainers on whois_consent using gin (maintainers);
call keep_history('whois_consent');
