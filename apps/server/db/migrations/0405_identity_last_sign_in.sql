-- When a person last signed in, noted at most once a day: their sessions are forgotten long before a year. Null where it isn’t known, and until then the sessions say it.
alter table login add column last_sign_in_at timestamptz;
