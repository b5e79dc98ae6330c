-- The second person of an erasure, and that it was carried out by two people in time: whatever the program does.
-- Few rows: erasure.
alter table erasure add column ended_with text references login;
create index on erasure (ended_with);
alter table erasure add constraint erasure_by_two check (state <> 'erased' or coalesce(ended_by <> ended_with and ended_by <> login_id and ended_with <> login_id and ended_at >= due_at, false)) not valid;
