-- Keys are numbered for their member, those that are gone included.
create index on rpki_key (ca_id);
