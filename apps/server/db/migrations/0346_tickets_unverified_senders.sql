-- A message by mail of which the mail server did not say that it is from its sender.
alter table ticket_message add column sender_unverified boolean not null default false;
