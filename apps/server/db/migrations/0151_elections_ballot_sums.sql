-- What the ballots of each round should add up to: the exclusive or of an HMAC of each, with a key that follows from SECRET_KEY. Who has the database alone can neither change,
-- put in nor take out a ballot unseen. One value for all of them, without history: none that says which ballot came when.
create table ballot_sum (
  election_id bigint not null references election,
  generation  integer not null,
  ballots     integer not null check (ballots >= 0),
  -- Null for a round that began before there were sums.
  sum         bytea check (length(sum) = 32),
  primary key (election_id, generation)
);
insert into ballot_sum select e.election_id, round, 0, null from election e cross join generate_series(1, e.generation) round
  where exists (select from election_vote v where v.election_id = e.election_id and v.generation = round)
    or exists (select from attendee_vote v where v.election_id = e.election_id and v.generation = round);
call keep_history('ballot_sum', with_copy => false, with_digests => false);
