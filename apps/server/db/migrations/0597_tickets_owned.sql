-- The tickets that wait for one of the registry staff, beside the thousands that they answered.
create index concurrently ticket_owned on ticket (owner) where state in ('new', 'open');
