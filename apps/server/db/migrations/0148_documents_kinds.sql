-- Address plans, logs and packet captures, as network operators send them.

alter table stored_file drop constraint stored_file_kind_check;
alter table stored_file add constraint stored_file_kind_check check (kind in ('pdf', 'png', 'jpg', 'docx', 'xlsx', 'txt', 'pcap'));
