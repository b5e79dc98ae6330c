-- The closed tickets of years, which the desk counts.
create index concurrently ticket_closed on ticket (updated_at desc) where state not in ('new', 'open', 'stalled');
