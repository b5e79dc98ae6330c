-- Accounts take turns where activities become deliveries: of each a few at a time, found by an index however many wait.
alter table webhook_event add account_name text;
update webhook_event e set account_name = a.account_name from activity a where a.activity_id = e.activity_id;
alter table webhook_event alter account_name set not null;
create index on webhook_event (account_name, activity_id);

create or replace function note_webhook_event() returns trigger language plpgsql as $$
begin
  if exists (select from webhook where account_name = new.account_name and removed_at is null and paused_at is null and disabled_at is null) then
    insert into webhook_event (activity_id, account_name) values (new.activity_id, new.account_name) on conflict do nothing;
    perform pg_notify('webhooks', '');
  end if;
  return null;
end $$;
