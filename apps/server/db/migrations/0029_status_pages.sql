-- How services were: the history of the public status page.

-- Minutes of a day of UTC in which periodic work found a service working, late or down. Minutes in which no worker ran are in none of them.
create table service_day (
  day             date not null,
  service         text not null check (service ~ '^[a-z][a-z-]{0,39}$'),
  working_minutes integer not null default 0 check (working_minutes >= 0),
  late_minutes    integer not null default 0 check (late_minutes >= 0),
  down_minutes    integer not null default 0 check (down_minutes >= 0),
  primary key (day, service)
);

-- When a web process found that the database didn't answer, and when it did again. Several processes find the same outage, each with a row.
create table database_outage (
  since timestamptz not null,
  until timestamptz not null check (until > since),
  primary key (since, until)
);
create index database_outage_until on database_outage (until);
