-- How long the first answers of a queue took.
create index concurrently ticket_answer_times on ticket (queue, first_answer_at) include (created_at) where first_answer_at is not null;
