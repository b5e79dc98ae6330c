-- What the registry published of its ledger on each day, byte for byte as it was, with the signature made then. Compressed: a day of a region is a megabyte.
create table published_file (
  -- `delegated-example-20261123`, `transfers/2026/transfers_20261123T000500Z.json`.
  name       text primary key,
  -- In the time zone of the registry.
  day        date not null,
  media_type text not null,
  -- gzip (RFC 1952).
  content    bytea not null,
  -- Of the file itself.
  bytes      bigint not null check (bytes > 0),
  -- OpenPGP, in ASCII armour.
  signature  text not null,
  made_at    timestamptz not null
);
create index published_file_day on published_file (day desc, name);
create function keep_published_file() returns trigger language plpgsql as $$
begin
  raise exception 'A published file stays as it was published';
end $$;
create trigger published_file_stays before update on published_file for each row execute function keep_published_file();

-- What a completed transfer handed over for a time: it ends on its day unless the recipient keeps it.
create table held_object (
  held_object_id bigint generated always as identity primary key,
  resource_request_id bigint not null references resource_request,
  -- Who has it for the time.
  account_name text not null references account,
  what      text not null check (what in ('registration', 'roa', 'route', 'whois', 'reverse', 'contact', 'geofeed')),
  name      text not null,
  -- Where it is: the class of a whois object, the range and the lines of a network.
  place     jsonb not null,
  ends_on   date not null,
  kept_at   timestamptz,
  ended_at  timestamptz,
  check (kept_at is null or ended_at is null)
);
create index on held_object (resource_request_id);
create index on held_object (account_name);
create index held_object_due on held_object (ends_on) where kept_at is null and ended_at is null;
call keep_history('held_object');
