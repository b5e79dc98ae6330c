-- Archives that the registry makes for a person, and that are kept for days only.
-- Widens stored_file_kind_check.
alter table stored_file drop constraint stored_file_kind_check;
alter table stored_file add constraint stored_file_kind_check check (kind in ('pdf', 'png', 'jpg', 'docx', 'xlsx', 'txt', 'pcap', 'zip')) not valid;
