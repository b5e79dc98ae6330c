-- Space delegated for one use: the LAN of an exchange, or an event. It is no share of the last pool, can be returned, and goes to no one else.
alter table delegation add column purpose text check (purpose in ('exchange', 'temporary'));
-- The last day of space for an event: the registry opens its return on the day after.
alter table delegation add column ends_on date check (ends_on is null or purpose = 'temporary');
create index delegation_ends on delegation (ends_on) where ends_on is not null and status <> 'closed';
