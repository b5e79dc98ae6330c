-- Publication of reverse zones: the parent zones that the registry makes, and with which serial each delegation is in them.

-- A parent zone as it was last written. The serial only grows.
create table rdns_parent (
  parent       text primary key,
  serial       bigint not null,
  sha256       text not null,
  delegations  integer not null,
  published_at timestamptz not null
);
call keep_history('rdns_parent', with_copy => false);

-- The delegation of a zone as its parent zone has it: version of the domain object, and the serial since which it is like this.
create table rdns_published (
  zone         text primary key,
  parent       text not null,
  version      integer not null,
  serial       bigint not null,
  published_at timestamptz not null
);
create index on rdns_published (parent);
call keep_history('rdns_published', with_copy => false);

-- Delegations of a parent zone that another registry keeps, such as a national one: records as in a zone file.
create table rdns_fragment (
  source      text not null,
  parent      text not null,
  text        text not null,
  imported_at timestamptz not null,
  primary key (source, parent)
);
call keep_history('rdns_fragment', with_copy => false);
