-- SP-GiST follows the bits of a prefix: the ROAs around and inside 1,793 blocks of the largest holder of a region are found in 0.1 s, with GiST in 1 s.
-- Few rows: roa, rpki_child_vrp.
drop index roa_prefix_idx;
create index roa_prefix_idx on roa using spgist (prefix inet_ops);
drop index rpki_child_vrp_prefix_idx;
create index rpki_child_vrp_prefix_idx on rpki_child_vrp using spgist (prefix inet_ops);
