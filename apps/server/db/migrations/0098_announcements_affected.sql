-- Announcements are aimed at those affected by the economy and the kind of their resources too; all that is filled in narrows.
alter table announcement add column economies text[] not null default '{}';
alter table announcement add column kinds text[] not null default '{}' check (kinds <@ array['ipv4', 'ipv6', 'asn']);
alter table announcement drop constraint announcement_check;
alter table announcement add constraint announcement_affected check ((audience = 'RESOURCES') = (cardinality(resources) + cardinality(economies) + cardinality(kinds) > 0));
