-- Routes: the announcements that members intend, what was done about them, and what collectors see in BGP.

-- The list of one account. Its version counts every change of its routes: who changes them says which list they saw.
create table route_list (
  account_name text primary key references account,
  version      integer not null default 0
);
call keep_history('route_list', with_copy => false);

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
  unique (account_name, version)
);
create index on route_change (account_name, route_change_id desc);
create index on route_change (contact_id);
create unique index route_change_undone on route_change (undoes) where undoes is not null;
call keep_history('route_change', with_copy => false);

-- What route collectors saw in BGP at one time. The newest of a source and family counts.
create table bgp_table (
  bgp_table_id bigint generated always as identity primary key,
  -- Who sent it: null for the registry's own import, else the account that alone sees it.
  account_name text references account,
  family       integer not null check (family in (4, 6)),
  file_name    text not null,
  collected_at timestamptz not null,
  imported_at  timestamptz not null,
  -- The most peers that any announcement was seen by: what "all" is.
  peers        integer not null,
  announcements integer not null,
  state        text not null check (state in ('loading', 'current', 'replaced'))
);
create unique index bgp_table_current on bgp_table (coalesce(account_name, ''), family) where state = 'current';
create index on bgp_table (account_name);
call keep_history('bgp_table', with_copy => false);

create table bgp_announcement (
  bgp_table_id bigint not null references bgp_table on delete cascade,
  prefix       cidr not null,
  asn          bigint not null,
  peers        integer not null,
  primary key (bgp_table_id, prefix, asn)
);
create index on bgp_announcement (bgp_table_id, asn);
call keep_history('bgp_announcement', with_copy => false);
