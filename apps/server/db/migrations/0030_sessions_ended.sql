-- How often all sessions of this person were ended. A sign-in notes it when it begins: one that is under way meanwhile opens nothing.
alter table login add column sessions_ended integer not null default 0;
