-- When a file of the registry's begins to be valid: its certificate, or the CRL that it is. A clock that was wrong let some begin in the future, where
-- validators refuse them, and they are made anew (decision 248). Null: of an authority that a member runs.
alter table rpki_object add column not_before timestamptz;
create index on rpki_object (not_before);
