-- Files of authorities that members run which changed since they were last judged: the rest is not read again. Rows are added by whatever changes a file, and
-- taken with the judgement.
create table rpki_changed_file (
  changed_file_id bigint generated always as identity primary key,
  child_id bigint not null references rpki_child,
  uri      text not null
);
create index on rpki_changed_file (child_id);
call keep_history('rpki_changed_file', with_copy => false, with_digests => false);

create function note_changed_files() returns trigger language plpgsql as $$
begin
  insert into rpki_changed_file (child_id, uri) select child_id, uri from touched where child_id is not null;
  return null;
end $$;
create trigger rpki_changed_file_inserted after insert on rpki_object referencing new table as touched for each statement execute function note_changed_files();
create trigger rpki_changed_file_updated after update on rpki_object referencing new table as touched for each statement execute function note_changed_files();
create trigger rpki_changed_file_deleted after delete on rpki_object referencing old table as touched for each statement execute function note_changed_files();

-- Signatures and keys, and text that is made of them, hardly get smaller, and a list of megabytes takes a moment to be tried.
alter table rpki_object alter column content set storage external;
alter table rrdp_delta alter column content set storage external;
alter table rpki_message alter column content set storage external;
