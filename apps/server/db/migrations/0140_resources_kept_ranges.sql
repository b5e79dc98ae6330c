-- Ranges that registry staff keep back: why, and until when. A reserved block without any of the four columns was kept back by a statistics file.

-- Why staff keep the block back, or why they changed the end of its quarantine.
alter table pool add column reason text check (length(reason) between 1 and 500);
-- The first day on which a block that is kept back can be given again; null where it is kept until staff release it.
alter table pool add column kept_until date;
alter table pool drop constraint pool_why_reserved;
alter table pool add constraint pool_why_reserved check (state = 'reserved' or (held_for is null and rests_until is null and reason is null and kept_until is null));
alter table pool add constraint pool_one_reason check (num_nonnulls(held_for, rests_until, kept_until) <= 1 and (held_for is null or reason is null)
  and (kept_until is null or reason is not null));
create index pool_kept_until on pool (kept_until) where kept_until is not null;
