-- What the page of a prefix or AS number asks of the past (modules/whois/resource-record.ts).

-- Delegations that ended, by their first number: who held it then.
create index delegation_closed on delegation (first) where kind <> 'asn' and status = 'closed';
create index delegation_closed_as on delegation (first_as) where kind = 'asn' and status = 'closed';

-- History of what is registered below one delegation.
create index row_change_assignment on row_change ((coalesce(after, before) ->> 'delegation_id')) where table_name = 'assignment';

-- Networks and routes that are no more, by the address they began with: `198.18.0.0` of `198.18.0.0 - 198.18.1.255`, `198.18.0.0/23`, `198.18.0.0/23AS64500`.
create index whois_journal_gone on whois_journal ((split_part(split_part(split_part(key, ' ', 1), 'as', 1), '/', 1)::inet))
  where operation = 'DEL' and class in ('inetnum', 'inet6num', 'route', 'route6');
