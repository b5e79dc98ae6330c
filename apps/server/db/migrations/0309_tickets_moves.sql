-- Who has had the next move of a ticket, and what it is about besides.

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

-- What the registry needs from the member, in a line, while the member has the next move.
alter table ticket add column asks text check (length(asks) between 1 and 160);

-- The last call with a secret that a rotation replaced, so that the program that still has it is found.
alter table api_key_use add column old_at timestamptz;
alter table api_key_use add column old_address inet;
