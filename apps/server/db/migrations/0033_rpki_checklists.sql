-- Signed checklists (RFC 9323): members say what they vouch for, the publisher signs. A checklist is handed on by the member and never published.

-- Files that the holder of resources vouches for. Its bytes and certificate are the publisher's.
create table rpki_checklist (
  checklist_id bigint generated always as identity primary key,
  account_name text not null references account,
  resources    text[] not null check (cardinality(resources) > 0),
  -- Names, empty for a file without one, and the SHA-256 of each, hexadecimal, in the same order. The files themselves never leave the browser.
  file_names   text[] not null,
  file_hashes  text[] not null check (cardinality(file_hashes) > 0 and cardinality(file_hashes) = cardinality(file_names)),
  comment      text not null default '',
  created_at   timestamptz not null,
  ends_at      timestamptz not null,
  -- When a contact took it back.
  revoked_at   timestamptz,
  -- The key that signed it, the serial number of its certificate, hexadecimal, and the object.
  key_id       bigint references rpki_key,
  serial       text,
  content      bytea,
  check ((content is null) = (serial is null) and (content is null) = (key_id is null))
);
create index on rpki_checklist (account_name, checklist_id);
create index on rpki_checklist (key_id);
call keep_history('rpki_checklist');

create function note_rpki_due_checklist() returns trigger language plpgsql as $$
begin
  insert into rpki_due (account_name) values (new.account_name);
  perform pg_notify('rpki', '');
  return null;
end $$;
create trigger rpki_due_checklist_inserted after insert on rpki_checklist for each row execute function note_rpki_due_checklist();
create trigger rpki_due_checklist_revoked after update on rpki_checklist for each row
  when (old.revoked_at is distinct from new.revoked_at) execute function note_rpki_due_checklist();
