-- Lists of changes show these, without reading the routes of each, which may be thousands.
alter table route_change add column summary text not null default '', add column waiting integer not null default 0;
alter table route_change alter column summary drop default, alter column waiting drop default;
