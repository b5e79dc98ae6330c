-- Of 200,000 tickets of a region 2,000 are open: the desk lists and counts them.
create index concurrently ticket_open on ticket (updated_at desc) where state in ('new', 'open', 'stalled');
