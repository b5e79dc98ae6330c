-- Pools that the registry delegates from: space that is held while a request is decided, and space that rests after it was returned.

-- The request (`REQ-12`) a reserved block is held for; null where the registry keeps it back for other reasons.
alter table pool add column held_for text;
-- The first day on which a returned block can be given again; null where it is not in quarantine.
alter table pool add column rests_until date;
alter table pool add constraint pool_why_reserved check (state = 'reserved' or (held_for is null and rests_until is null));
create index pool_held_for on pool (held_for) where held_for is not null;
create index pool_rests_until on pool (rests_until) where rests_until is not null;
