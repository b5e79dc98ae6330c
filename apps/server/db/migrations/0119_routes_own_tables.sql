-- Who of an account uploaded its own BGP table; null for the registry's.
alter table bgp_table add column uploaded_by text;
alter table bgp_table add constraint bgp_table_uploaded check ((account_name is null) = (uploaded_by is null));
