-- What is seen in BGP: tables of the registry's collectors, and those that members upload for themselves.

-- What route collectors saw in BGP at one time. The newest of a source and family counts.
create table bgp_table (
  bgp_table_id bigint generated always as identity primary key,
  -- Who sent it: null for the registry's own import, else the account that alone sees it.
  account_name text references account,
  -- Who of that account uploaded it; null for the registry's.
  uploaded_by  text,
  family       integer not null check (family in (4, 6)),
  file_name    text not null,
  collected_at timestamptz not null,
  imported_at  timestamptz not null,
  -- The most peers that any announcement was seen by: what "all" is.
  peers        integer not null,
  announcements integer not null,
  -- Only formats with paths say which AS stands in front of which (`bgp_neighbour`).
  has_paths    boolean not null default false,
  state        text not null check (state in ('loading', 'current', 'replaced')),
  constraint bgp_table_uploaded check ((account_name is null) = (uploaded_by is null))
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
call keep_history('bgp_announcement', with_copy => false, with_digests => false);

-- Which AS stands in front of which in the paths of a table: what a list of providers (ASPA) is held against.
create table bgp_neighbour (
  bgp_table_id  bigint not null references bgp_table on delete cascade,
  asn           bigint not null,
  -- The AS to which it hands its announcements on, on their way to a collector.
  neighbour     bigint not null,
  -- Announcements whose paths have both, and the most peers of collectors that saw one of them so.
  announcements integer not null check (announcements > 0),
  peers         integer not null check (peers > 0),
  primary key (bgp_table_id, asn, neighbour)
);
call keep_history('bgp_neighbour', with_copy => false, with_digests => false);
