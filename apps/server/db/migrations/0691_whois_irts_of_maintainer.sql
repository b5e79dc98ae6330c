-- The irts of a maintainer.
create index concurrently whois_reference_of_irt on whois_reference (value) include (object_id) where of_irt;
