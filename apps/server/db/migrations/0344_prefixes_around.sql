-- Prefixes that a call names may be thousands and contain each other, and ROAs of one prefix thousands too: joined by overlap they are hundreds of millions of pairs.
-- These two make each row be found once: what lies in the outermost of them, and what is one of them or contains one.

-- The outermost of these prefixes, each once. A prefix follows those that contain it, so one that ends behind all before it is in none of them.
create function outermost_prefixes(prefixes cidr[]) returns table (prefix cidr) language sql immutable as $$
  select each.prefix from (
    select once.prefix, once.last, max(once.last) over (partition by family(once.prefix) order by once.prefix rows between unbounded preceding and 1 preceding) as before
    from (select distinct g.prefix, set_masklen(broadcast(g.prefix), case family(g.prefix) when 4 then 32 else 128 end) as last
      from unnest(prefixes) as g (prefix)) once) each
  where each.before is null or each.last > each.before
$$;

-- These prefixes, and all that contain one of them, each once.
create function prefixes_and_around(prefixes cidr[]) returns table (prefix cidr) language sql immutable as $$
  with recursive up (prefix) as (
    select g.prefix from unnest(prefixes) as g (prefix)
    union select set_masklen(up.prefix, masklen(up.prefix) - 1) from up where masklen(up.prefix) > 0)
  select up.prefix from up
$$;

-- What ROAs of this registry say of addresses in common with these prefixes: those that holders asked for, and those that their own authorities published.
-- Whois and IRR stand before RPKI in the line-up of modules, and ask by this function.
create or replace function roas_around(prefixes cidr[]) returns table (prefix cidr, asn bigint, max_length integer) language sql stable as $$
  select r.prefix, r.asn, r.max_length from prefixes_and_around(prefixes) as w cross join lateral (select * from roa where roa.prefix = w.prefix offset 0) r
  union select r.prefix, r.asn, r.max_length from outermost_prefixes(prefixes) as w cross join lateral (select * from roa where roa.prefix << w.prefix offset 0) r
  union select v.prefix, v.asn, v.max_length from prefixes_and_around(prefixes) as w
    cross join lateral (select * from rpki_child_vrp where rpki_child_vrp.prefix = w.prefix offset 0) v
  union select v.prefix, v.asn, v.max_length from outermost_prefixes(prefixes) as w
    cross join lateral (select * from rpki_child_vrp where rpki_child_vrp.prefix << w.prefix offset 0) v
$$;
