-- What the publisher leaves out of a parent zone, because name servers would not load it or validators not take it: the rest of the zone is published.

create table rdns_left_out (
  -- The delegated zone, or the owner of a record of another registry.
  zone        text primary key,
  parent      text not null,
  -- The other registry whose record it is; null where it is a domain object.
  source      text,
  -- Version of the domain object; 0 of another registry's record.
  version     integer not null,
  -- A sentence for each record.
  reasons     text[] not null,
  -- No record of the delegation is left.
  whole       boolean not null,
  since       timestamptz not null,
  -- Null until the contacts were notified of these reasons.
  notified_at timestamptz
);
create index on rdns_left_out (parent);
create index rdns_left_out_due on rdns_left_out (since) where notified_at is null;
call keep_history('rdns_left_out', with_copy => false);
