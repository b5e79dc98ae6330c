-- Support tickets: what members write to the registry, and what it answers.

create table ticket (
  ticket_id       bigint generated always as identity (start with 20001) primary key,
  queue           text not null check (queue in ('helpdesk', 'billing', 'membership', 'resources', 'ecsubmission', 'events')),
  subject         text not null check (length(subject) between 1 and 300),
  state           text not null default 'new' check (state in ('new', 'open', 'stalled', 'resolved', 'rejected')),
  -- For which account; null where a person wrote for themselves.
  account_name    text references account,
  -- Who wrote; null where an e-mail came from an address without a login.
  requestor       text references login,
  requestor_name  text not null check (length(requestor_name) <= 255),
  requestor_email text not null check (length(requestor_email) <= 254),
  -- What it is about: a prefix, an AS number, an invoice, a request.
  tie_kind        text check (tie_kind in ('prefix', 'asn', 'invoice', 'request')),
  tie_text        text check (length(tie_text) <= 60),
  -- Of registry staff, the one who looks after it.
  owner           text references login,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  -- Since when the one who has the next move has it, and how long each had it before, in seconds.
  waiting_since   timestamptz not null,
  seconds_us      bigint not null default 0,
  seconds_member  bigint not null default 0,
  first_answer_at timestamptz,
  resolved_at     timestamptz,
  reminded_at     timestamptz,
  -- From the panel "Talk to us": answers appear there as they are written, and are mailed only where they stay unread.
  is_talk         boolean not null default false,
  -- Up to when answers were read in the panel or mailed.
  talk_mailed_at  timestamptz,
  -- What the registry needs from the member, in a line, while the member has the next move.
  asks            text check (length(asks) between 1 and 160),
  check ((tie_kind is null) = (tie_text is null))
);
create index on ticket (account_name, updated_at desc);
create index on ticket (requestor, updated_at desc);
create index on ticket (owner);
create index ticket_queue on ticket (queue, waiting_since) where state in ('new', 'open');
create index ticket_waiting on ticket (waiting_since) where state = 'stalled';
create index ticket_answered on ticket (queue, first_answer_at) where first_answer_at is not null;
create index ticket_all on ticket (updated_at desc);
create index ticket_talk on ticket (requestor, updated_at desc) where is_talk;
call keep_history('ticket');
call follow_life('ticket', 'state', 'new>open new>rejected new>resolved new>stalled open>new open>rejected open>resolved open>stalled rejected>new rejected>open rejected>resolved
  rejected>stalled resolved>new resolved>open resolved>rejected resolved>stalled stalled>new stalled>open stalled>rejected stalled>resolved');

-- Who else gets the answers.
create table ticket_cc (
  ticket_id bigint not null references ticket,
  email     text not null check (length(email) <= 254),
  full_name text not null check (length(full_name) <= 255),
  -- Whose address it is; those see the ticket in the portal.
  login_id  text references login,
  primary key (ticket_id, email)
);
create index on ticket_cc (login_id);
call keep_history('ticket_cc');

create table ticket_message (
  ticket_message_id bigint generated always as identity primary key,
  ticket_id   bigint not null references ticket,
  -- A comment is between registry staff and never leaves the desk.
  kind        text not null check (kind in ('message', 'comment', 'event')),
  by          text not null check (by in ('member', 'staff', 'system')),
  login_id    text references login,
  author      text not null check (length(author) <= 255),
  by_mail     boolean not null default false,
  -- Plain text; what came as HTML was cleaned before.
  content     text not null check (length(content) <= 100000),
  -- The id of the e-mail it came in, so that one that is delivered twice is kept once.
  mail_id     text unique check (length(mail_id) <= 998),
  at          timestamptz not null,
  -- When it was begun to be passed on to Request Tracker, and when that was done: one that began and was not done is looked for there before it is sent again.
  passing_since timestamptz,
  passed_on_at  timestamptz,
  -- By mail, and the mail server did not say that it is from its sender.
  sender_unverified boolean not null default false
);
create index on ticket_message (ticket_id, ticket_message_id);
create index on ticket_message (login_id, at);
create index ticket_message_waiting on ticket_message (ticket_id, ticket_message_id) where passed_on_at is null and kind <> 'event';
call keep_history('ticket_message');

-- Up to when a person has read a ticket.
create table ticket_read (
  ticket_id bigint not null references ticket,
  login_id  text not null references login,
  read_at   timestamptz not null,
  primary key (ticket_id, login_id)
);
create index on ticket_read (login_id);
call keep_history('ticket_read', with_copy => false);

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

-- Each state of a ticket with the instant from which it had it. Written by a trigger, so that no way of moving a ticket can forget it.
create table ticket_move (
  ticket_move_id bigint generated always as identity primary key,
  ticket_id bigint not null references ticket,
  state     text not null check (state in ('new', 'open', 'stalled', 'resolved', 'rejected')),
  at        timestamptz not null
);
create index on ticket_move (ticket_id, ticket_move_id);
call keep_history('ticket_move', with_copy => false);

create function note_ticket_move() returns trigger language plpgsql as $$
begin
  insert into ticket_move (ticket_id, state, at) values (new.ticket_id, new.state, case tg_op when 'INSERT' then new.created_at else new.updated_at end);
  return null;
end $$;
create trigger ticket_begun after insert on ticket for each row execute function note_ticket_move();
create trigger ticket_moved after update of state on ticket for each row when (old.state is distinct from new.state) execute function note_ticket_move();

-- What a ticket is linked to, besides `tie_text`: by a person, or because a message names it.
create table ticket_link (
  ticket_id bigint not null references ticket,
  kind      text not null check (kind in ('prefix', 'asn', 'invoice', 'request')),
  content   text not null check (length(content) between 1 and 60),
  -- Linked by a person: it is shown whether or not the registry knows it, and can be removed.
  is_manual boolean not null default false,
  at        timestamptz not null,
  primary key (ticket_id, content)
);
call keep_history('ticket_link');
