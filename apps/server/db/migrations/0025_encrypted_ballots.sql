-- Encrypted ballots: who makes credentials and keys, the rights to vote, and the archive, which only grows (decisions 226, 227 and 236).

-- The ballot of an election: those appointed, and what they sent.
create table encrypted_ballot (
  election_id  bigint primary key references election,
  -- The identifier of the election in its archive.
  uuid         text not null unique check (uuid ~ '^[1-9A-HJ-NP-Za-km-z]{14}$'),
  -- The credential authority, who is not of the registry.
  authority    text not null references login,
  -- How many trustees decrypt together; null where each is needed.
  threshold    integer check (threshold between 1 and 50),
  appointed_by text not null references login,
  appointed_at timestamptz not null,
  -- The parts of the key of the trustees, once all have sent what it needs.
  trustee_keys text,
  -- Subject, questions and keys, as the archive has them.
  parameters   text,
  trustees     text,
  -- The encrypted sums and their size, once voting is over.
  tally        text[] check (cardinality(tally) = 2),
  -- The part of the decryption that the registry makes.
  decryption   text,
  -- The votes of blank ballots, then those of each answer.
  result       integer[],
  -- Those appointed are asked by mail when it is their turn, and reminded twice: of the credential authority, when, and how often it was reminded.
  asked_at     timestamptz,
  reminders    integer not null default 0 check (reminders between 0 and 2),
  -- The fingerprint of the list of credentials, with which the authority compares what the archive has.
  credentials_fingerprint text,
  check ((parameters is null) = (trustees is null)),
  check (tally is null or parameters is not null),
  check (decryption is null or tally is not null),
  check (result is null or decryption is not null),
  check (asked_at is not null or reminders = 0)
);
create index on encrypted_ballot (authority);
create index on encrypted_ballot (appointed_by);
call keep_history('encrypted_ballot');

-- A trustee of an election, and what this trustee sent: a key of its own, or the messages of those who make a key together.
create table ballot_trustee (
  election_id bigint not null references encrypted_ballot,
  place       integer not null check (place between 1 and 50),
  login_id    text not null references login,
  own_key     text,
  certificate text,
  polynomial  text,
  -- What the others sent for this trustee.
  input       text,
  share       text,
  decryption  text,
  -- What this trustee was asked for by mail, when, and how often a reminder followed.
  asked_step  text check (asked_step in ('key', 'certificate', 'polynomial', 'share', 'decryption')),
  asked_at    timestamptz,
  reminders   integer not null default 0 check (reminders between 0 and 2),
  primary key (election_id, place),
  unique (election_id, login_id),
  check (polynomial is null or certificate is not null),
  check (share is null or polynomial is not null),
  check ((asked_step is null) = (asked_at is null)),
  check (asked_at is not null or reminders = 0)
);
create index on ballot_trustee (login_id);
call keep_history('ballot_trustee');

-- A public credential with its votes: a number, and its SHA-256.
create table ballot_credential (
  election_id     bigint not null references encrypted_ballot,
  credential_hash text not null check (credential_hash = encode(sha256(convert_to(credential, 'UTF8')), 'hex')),
  credential      text not null check (credential ~ '^[1-9][0-9]+$' and length(credential) <= 617),
  votes           integer not null check (votes between 1 and 64),
  primary key (election_id, credential_hash),
  unique (election_id, credential_hash, votes)
);
call keep_history('ballot_credential', with_copy => false);

-- The right of an account to vote with a credential: neither can be read from it.
create table voting_right (
  election_id bigint not null references encrypted_ballot,
  right_hash  text not null check (right_hash ~ '^[0-9a-f]{64}$'),
  primary key (election_id, right_hash)
);
call keep_history('voting_right', with_copy => false);

-- An event of the archive, with the bytes that it adds. They say neither who cast a ballot nor when; its hash and that of the event before it are its proof.
create table ballot_event (
  election_id     bigint not null references encrypted_ballot,
  height          integer not null check (height >= 0),
  kind            text not null check (kind in ('Setup', 'Ballot', 'EndBallots', 'EncryptedTally', 'PartialDecryption', 'Result')),
  hash            text not null check (hash ~ '^[0-9a-f]{64}$'),
  parent          text check (parent ~ '^[0-9a-f]{64}$'),
  -- Where its bytes begin in the archive.
  starts_at       bigint not null check (starts_at >= 0),
  bytes           bytea not null check (length(bytes) > 0),
  -- Of a ballot: its hash, its credential and its votes.
  tracker         text check (tracker ~ '^[0-9A-Za-z+/]{43}$'),
  credential_hash text,
  votes           integer,
  primary key (election_id, height),
  unique (election_id, tracker),
  -- A credential votes once, with the votes that it has.
  unique (election_id, credential_hash),
  foreign key (election_id, credential_hash, votes) references ballot_credential (election_id, credential_hash, votes),
  check ((kind = 'Ballot') = (tracker is not null)),
  check ((kind = 'Ballot') = (credential_hash is not null)),
  check ((kind = 'Ballot') = (votes is not null))
);
create index on ballot_event (election_id, starts_at);
create index on ballot_event (election_id, credential_hash, votes);
call keep_history('ballot_event', with_copy => false, with_digests => false);

-- The archive only grows, each event after the one before it.
create function ballot_event_follows() returns trigger language plpgsql as $$
declare
  last record;
  kinds text[] := '{Setup,Ballot,EndBallots,EncryptedTally,PartialDecryption,Result}';
  step integer;
begin
  select e.height, e.hash, e.kind, e.starts_at + length(e.bytes) as ends_at into last
    from ballot_event e where e.election_id = new.election_id order by e.height desc limit 1;
  if not found then
    if new.height <> 0 or new.parent is not null or new.starts_at <> 0 or new.kind <> 'Setup' then
      raise exception 'the archive of election % begins with its setup', new.election_id;
    end if;
    return new;
  end if;
  step := array_position(kinds, new.kind) - array_position(kinds, last.kind);
  if new.height <> last.height + 1 or new.parent is distinct from last.hash or new.starts_at <> last.ends_at
    or not (step = 1 or (step = 0 and new.kind in ('Ballot', 'PartialDecryption')) or (last.kind = 'Setup' and new.kind = 'EndBallots')) then
    raise exception 'the archive of election % does not go on with % at %', new.election_id, new.kind, new.height;
  end if;
  return new;
end $$;
create trigger b_follows before insert on ballot_event for each row execute function ballot_event_follows();
create trigger append_only before update or delete or truncate on ballot_event for each statement execute function append_only();

-- The last event of an archive at the end of an hour, whose history is in the sealed log: an event that is dropped later is missed.
create table noted_event (
  election_id bigint not null references encrypted_ballot,
  height      integer not null check (height >= 0),
  hash        text not null check (hash ~ '^[0-9a-f]{64}$'),
  noted_at    timestamptz not null,
  primary key (election_id, height)
);
call keep_history('noted_event');
create trigger append_only before update or delete or truncate on noted_event for each statement execute function append_only();
