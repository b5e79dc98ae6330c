-- Every stored file is of a kind that there is.
alter table stored_file validate constraint stored_file_kind_check;
