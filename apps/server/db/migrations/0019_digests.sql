-- What an activity says, hashed when it is written: one that is altered before its seal shows as well. Null for lines older than this column.
alter table activity add column digest bytea;

-- The same values as a seal covers (platform/database/activity-chain.ts), named one by one: a column added later must not break old digests.
create function activity_digest(a activity) returns bytea language sql stable
  return sha256(convert_to(jsonb_build_array(a.activity_id, extract(epoch from a.happened_at), a.action, a.summary, a.trace_id, a.account_name,
    a.login_issuer, a.login_subject, a.contact_id, a.sid, a.amr, a.address, a.refusal, a.details)::text, 'UTF8'));

create function keep_digest() returns trigger language plpgsql as $$
begin
  new.digest := activity_digest(new);
  return new;
end $$;

-- After only_note_on_current_activity, by its name: that one lets nothing but details through.
create trigger z_keep_digest before insert or update on activity for each row execute function keep_digest();

-- The journal is the history of whois objects: each of its lines is hashed when it is written as well. Null for lines older than this column.
alter table whois_journal add column digest bytea;

create function journal_digest(j whois_journal) returns bytea language sql immutable
  return sha256(convert_to(jsonb_build_array(j.serial, j.operation, j.class, j.key, j.shown, j.version, j.text, j.activity_id, j.reason)::text, 'UTF8'));

create function keep_journal_digest() returns trigger language plpgsql as $$
begin
  new.digest := journal_digest(new);
  return new;
end $$;

create trigger z_keep_digest before insert on whois_journal for each row execute function keep_journal_digest();
