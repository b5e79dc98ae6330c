-- Contacts are notified of a vote shortly after it was cast, so that casting waits for no mail. Votes from before were announced as they were cast.
alter table election_vote add column notified_at timestamptz default now();
alter table election_vote alter column notified_at drop default;
create index election_vote_unannounced on election_vote (cast_at) where notified_at is null;
