-- Tickets of the panel "Talk to us": answers appear there as they are written, and are mailed only where they stay unread.
alter table ticket add column is_talk boolean not null default false;
-- Up to when answers were read in the panel or mailed.
alter table ticket add column talk_mailed_at timestamptz;
create index ticket_talk on ticket (requestor, updated_at desc) where is_talk;
