-- Routes: the announcements that members intend, what was done about them, and what is said of those that are invalid.

-- The list of one account. Its version counts every change of its routes: who changes them says which list they saw.
create table route_list (
  account_name text primary key references account,
  version      integer not null default 0
);
call keep_history('route_list', with_copy => false, with_digests => false);

-- An intended announcement: this AS may originate the prefix, and more specific ones down to max_length. With `roa` the account wants a ROA for it, with
-- `whois` a route object for the prefix and for each of its sub-routes.
create table route (
  route_id     bigint generated always as identity primary key,
  account_name text not null references account,
  prefix       cidr not null,
  asn          bigint not null check (asn between 0 and 4294967295),
  max_length   integer not null,
  roa          boolean not null,
  whois        boolean not null,
  sub_routes   cidr[] not null default '{}',
  -- Of its route objects.
  descr        text not null default '',
  maintainer   text not null default '',
  -- Further lines of them as RPSL: remarks, member-of, and the like.
  attributes   text not null default '',
  comment      text not null default '',
  -- The person or team that answers for it.
  owner        text not null default '',
  created_at   timestamptz not null,
  changed_at   timestamptz not null,
  check (max_length between masklen(prefix) and case family(prefix) when 4 then 32 else 128 end),
  -- AS0 says that no AS may announce it: there is no such route object.
  check (asn <> 0 or not whois),
  unique (account_name, prefix, asn)
);
create index on route using gist (prefix inet_ops);
create index on route (asn);
call keep_history('route');

-- One saved change of routes with the result for each object: the log of the page, and what can be undone for a day.
create table route_change (
  route_change_id bigint generated always as identity primary key,
  account_name    text not null references account,
  activity_id     bigint not null,
  contact_id      uuid references contact,
  made_by         text not null,
  made_at         timestamptz not null,
  kind            text not null check (kind in ('save', 'import', 'adopt', 'undo')),
  -- Of the list after it.
  version         integer not null,
  items           jsonb not null,
  undoes          bigint references route_change,
  -- Lists of changes show these, without reading the routes of each, which may be thousands.
  summary         text not null,
  waiting         integer not null,
  unique (account_name, version)
);
create index on route_change (account_name, route_change_id desc);
create index on route_change (contact_id);
create unique index route_change_undone on route_change (undoes) where undoes is not null;
call keep_history('route_change', with_copy => false);

-- Announcements that the watcher found invalid or without a ROA, by what was published: since when, and which of them an account has muted.
create table route_alert (
  account_name text not null references account,
  prefix       cidr not null,
  asn          bigint not null check (asn between 0 and 4294967295),
  validity     text not null check (validity in ('invalid-asn', 'invalid-length', 'not-found')),
  found_at     timestamptz not null,
  -- When it was last so, by a table of BGP.
  seen_at      timestamptz not null,
  -- When the people of the account were told; null while it is muted from the start.
  told_at      timestamptz,
  primary key (account_name, prefix, asn)
);
call keep_history('route_alert', with_copy => false, with_digests => false);

-- Announcements that an account does not want to be told of.
create table route_mute (
  account_name text not null references account,
  prefix       cidr not null,
  asn          bigint not null check (asn between 0 and 4294967295),
  reason       text not null default '',
  muted_by     text not null,
  muted_at     timestamptz not null,
  primary key (account_name, prefix, asn)
);
call keep_history('route_mute');
