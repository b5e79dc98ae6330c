-- As for ROAs.
-- Few rows: route.
drop index route_prefix_idx;
create index route_prefix_idx on route using spgist (prefix inet_ops);
