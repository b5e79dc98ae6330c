-- Those appointed for an encrypted ballot are asked by mail when it is their turn, and reminded twice: what was asked for, when, and how often they were reminded.
alter table encrypted_ballot add column asked_at timestamptz;
alter table encrypted_ballot add column reminders integer not null default 0 check (reminders between 0 and 2);
-- The fingerprint of the list of credentials, with which the authority compares what the archive has.
alter table encrypted_ballot add column credentials_fingerprint text;
alter table encrypted_ballot add check (asked_at is not null or reminders = 0);
alter table ballot_trustee add column asked_step text check (asked_step in ('key', 'certificate', 'polynomial', 'share', 'decryption'));
alter table ballot_trustee add column asked_at timestamptz;
alter table ballot_trustee add column reminders integer not null default 0 check (reminders between 0 and 2);
alter table ballot_trustee add check ((asked_step is null) = (asked_at is null));
alter table ballot_trustee add check (asked_at is not null or reminders = 0);
