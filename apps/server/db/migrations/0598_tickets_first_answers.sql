-- The time to the first answer over a month, of all queues.
create index concurrently ticket_first_answers on ticket (first_answer_at) include (created_at) where first_answer_at is not null;
