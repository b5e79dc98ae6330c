-- The ROAs of an AS number, which its page lists.
create index concurrently roa_asn on roa (asn);
