-- What RDAP searches by: netnames and as-names, and the names of zones and AS numbers, by their beginnings.

-- The name a network or AS number gives itself, in lower case.
create function named_in(object text) returns text language sql immutable parallel safe as
  $$ select lower(substring(object from '(?in)^(?:netname|as-name):[ \t]*(\S+)')) $$;
create index whois_object_netname on whois_object (named_in(text) text_pattern_ops) where class in ('inetnum', 'inet6num');
create index whois_object_as_name on whois_object (named_in(text) text_pattern_ops) where class = 'aut-num';
create index whois_object_numbered on whois_object (key text_pattern_ops) where class in ('domain', 'aut-num');
