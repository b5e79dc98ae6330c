-- Announcements that the watcher found invalid or without a ROA, by what was published: since when, and which of them an account has muted.

create table route_alert (
  account_name text not null references account,
  prefix       cidr not null,
  asn          bigint not null check (asn between 0 and 4294967295),
  validity     text not null check (validity in ('invalid-asn', 'invalid-length', 'not-found')),
  found_at     timestamptz not null,
  -- When it was last so, by a table of BGP.
  seen_at      timestamptz not null,
  -- When the people of the account were told; null while it is muted from the start.
  told_at      timestamptz,
  primary key (account_name, prefix, asn)
);
call keep_history('route_alert', with_copy => false);

-- Announcements that an account does not want to be told of.
create table route_mute (
  account_name text not null references account,
  prefix       cidr not null,
  asn          bigint not null check (asn between 0 and 4294967295),
  reason       text not null default '',
  muted_by     text not null,
  muted_at     timestamptz not null,
  primary key (account_name, prefix, asn)
);
call keep_history('route_mute');
