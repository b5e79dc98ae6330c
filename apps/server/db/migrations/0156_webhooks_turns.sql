-- What is due of one webhook, and what is being sent: each looked up by itself, however much waits.
create index webhook_delivery_turn on webhook_delivery (webhook_id, due_at, delivery_id) where due_at is not null;
create index webhook_delivery_leased on webhook_delivery (webhook_id) where leased_until is not null;
drop index webhook_delivery_due;
