-- Whois and IRR ask what ROAs say of routes.

-- What ROAs of this registry say of addresses in common with these prefixes: those that holders asked for, and those that their own authorities published.
-- Whois stands before RPKI in the line-up of modules, and asks by this function.
create function roas_around(prefixes cidr[]) returns table (prefix cidr, asn bigint, max_length integer) language sql stable as $$
  select r.prefix, r.asn, r.max_length from unnest(prefixes) as w (prefix) join roa r on r.prefix && w.prefix
  union select v.prefix, v.asn, v.max_length from unnest(prefixes) as w (prefix) join rpki_child_vrp v on v.prefix && w.prefix
$$;

-- Says whether `published_vrps` changed: a file that is signed again has another time, and judgements of children have theirs.
create function published_vrps_version() returns text language sql stable as $$
  select concat_ws(' ', (select count(*) || ' ' || max(modified_at) || ' ' || max(published_in) from rpki_object where kind = 'roa'),
    (select count(*) from rpki_child_vrp), (select max(judged_at) from rpki_child_judgement))
$$;

-- What validators derive from the repository of this registry.
create function published_vrps() returns table (prefix cidr, asn bigint, max_length integer) language sql stable as $$
  select r.prefix, r.asn, r.max_length from rpki_object o cross join unnest(o.roa_ids) as made (roa_id) join roa r on r.roa_id = made.roa_id where o.kind = 'roa'
  union select v.prefix, v.asn, v.max_length from rpki_child_vrp v
$$;
