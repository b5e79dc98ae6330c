-- Tickets as Request Tracker has them, where the registry works with it (RT_URL).
create table ticket_tracking (
  ticket_id        bigint primary key references ticket,
  -- Its number in Request Tracker.
  tracker_id       bigint not null unique,
  -- The newest transaction of it that was looked at.
  last_transaction bigint not null default 0,
  -- Its state when both agreed last.
  state            text not null check (state in ('new', 'open', 'stalled', 'resolved', 'rejected'))
);
call keep_history('ticket_tracking', with_copy => false);

-- When it was begun to be passed on to Request Tracker, and when that was done: one that began and was not done is looked for there before it is sent again.
alter table ticket_message add column passing_since timestamptz;
alter table ticket_message add column passed_on_at timestamptz;
create index ticket_message_waiting on ticket_message (ticket_id, ticket_message_id) where passed_on_at is null and kind <> 'event';
