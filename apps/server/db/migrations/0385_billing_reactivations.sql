-- Reactivations that contacts of the account start, and those that registry staff end: after one of these only staff start the next.
alter table reactivation add column by_member boolean not null default false;
alter table reactivation alter column by_member drop default;
alter table reactivation add column ended_by text references login;
create index on reactivation (ended_by);
