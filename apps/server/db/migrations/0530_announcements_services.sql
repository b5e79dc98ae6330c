-- Which services an incident or planned work affects, by their names on the status page, and what became known after it was announced.
-- Few rows: announcement.
alter table announcement add column services text[] not null default '{}' check (cardinality(services) <= 30);

-- An update of an incident or of planned work, in the order in which they were written.
create table announcement_update (
  announcement_id bigint not null references announcement,
  place      integer not null check (place > 0),
  stage      text not null check (stage in ('begun', 'investigating', 'found', 'watching', 'over')),
  text       text not null check (length(text) between 3 and 2000),
  written_at timestamptz not null,
  primary key (announcement_id, place)
);
call keep_history('announcement_update');
