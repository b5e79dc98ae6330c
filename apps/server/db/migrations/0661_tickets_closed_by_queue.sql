-- How many closed tickets there are, of a queue and of a person, counted in the index alone.
create index concurrently ticket_closed_owner on ticket (queue, owner) where state not in ('new', 'open', 'stalled');
