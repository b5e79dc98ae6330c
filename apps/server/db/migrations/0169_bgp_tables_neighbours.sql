-- Which AS stands in front of which in the paths of a table: what a list of providers (ASPA) is held against. Only formats with paths have any.
alter table bgp_table add column has_paths boolean not null default false;

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
