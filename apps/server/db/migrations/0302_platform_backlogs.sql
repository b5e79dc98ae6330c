-- What waits is counted from indexes of what waits, not from all there ever was.
create index mail_waiting on mail (written_at) where sent_at is null and refused_at is null;
create index task_failed on task (task_id) where outcome = 'failed';
create index webhook_delivery_waiting on webhook_delivery (created_at) where due_at is not null;
