-- Lines of the registry's whois object that go along with a network to its new holder, until that object is made: seconds.
create table carried_line (
  carried_line_id bigint generated always as identity primary key,
  first     inet not null,
  last      inet not null,
  attribute text not null check (attribute in ('admin-c', 'tech-c', 'mnt-irt', 'geofeed', 'remarks')),
  value     text not null,
  check (first <= last)
);
call keep_history('carried_line');
