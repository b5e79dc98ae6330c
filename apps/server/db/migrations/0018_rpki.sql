-- Resource certification: authorities and their keys, what members want published or signed (ROAs, ASPAs, checklists), the signed objects made of it, and the repository they stand in.
-- Members write rpki_ca, roa, aspa and rpki_checklist; the rest is the publisher's (modules/rpki/repository/publisher.ts).

-- An authority: the trust anchor, the registry's own below it, and one for each account that uses RPKI. Two more are of their own kind: the identity by which
-- authorities that members run know the registry (RFC 8183), whose key certifies no number resources, and the trust anchor for space without a holder: what
-- could be delegated is published with AS0, so that no one can announce it.
create table rpki_ca (
  ca_id        bigint generated always as identity primary key,
  kind         text not null check (kind in ('trust-anchor', 'registry', 'member', 'identity', 'as0')),
  account_name text references account,
  -- The name of its directory: random, because certificates and their addresses must not tell whose they are (RFC 9255).
  handle       text not null unique,
  state        text not null default 'active' check (state in ('active', 'revoked')),
  -- Counts changes of the account's ROAs: who changes them says which list they saw.
  version      integer not null default 1,
  enabled_at   timestamptz not null,
  revoked_at   timestamptz,
  -- A member asked for a new key; then for its activation.
  rollover_requested_at   timestamptz,
  activation_requested_at timestamptz,
  -- When the trust anchor on another machine was last asked to sign; null once its response was imported.
  response_awaited_since  timestamptz,
  check ((kind = 'member') = (account_name is not null)),
  check ((state = 'revoked') = (revoked_at is not null))
);
create unique index rpki_ca_account on rpki_ca (account_name) where state = 'active';
create unique index rpki_ca_kind on rpki_ca (kind) where kind <> 'member';
call keep_history('rpki_ca');
call follow_life('rpki_ca', 'state', 'active>revoked revoked>active');

-- What a member wants validators to find: this AS may originate this prefix, and more specific ones down to max_length.
create table roa (
  roa_id       bigint generated always as identity primary key,
  account_name text not null references account,
  prefix       cidr not null,
  max_length   integer not null,
  asn          bigint not null check (asn between 0 and 4294967295),
  comment      text not null default '',
  created_at   timestamptz not null,
  check (max_length between masklen(prefix) and case family(prefix) when 4 then 32 else 128 end),
  unique (account_name, prefix, asn)
);
create index on roa using gist (prefix inet_ops);
call keep_history('roa');
create trigger refuse_over_locked_part after insert or update or delete on roa for each row execute function refuse_over_locked_part('prefix');

-- Provider authorisations (ASPA): the upstream providers of an AS, as its holder states them (draft-ietf-sidrops-aspa-profile, version 1).
create table aspa (
  aspa_id      bigint generated always as identity primary key,
  account_name text not null references account,
  -- The AS whose providers these are.
  customer     bigint not null check (customer between 1 and 4294967295),
  -- Ascending, each once; 0 alone says that it has none.
  providers    bigint[] not null check (cardinality(providers) > 0 and (cardinality(providers) = 1 or not 0 = any(providers)) and not customer = any(providers)),
  comment      text not null default '',
  -- Counts its changes: who changes it says which one they saw.
  version      integer not null default 1,
  created_at   timestamptz not null,
  changed_at   timestamptz not null,
  unique (account_name, customer)
);
create index on aspa (customer);
call keep_history('aspa');
create trigger refuse_over_locked_part after insert or update or delete on aspa for each row execute function refuse_over_locked_part('customer');

-- A key of an authority. `new` is certified beside the current one for a day, `old` signs its last manifest (RFC 6489).
create table rpki_key (
  key_id         bigint generated always as identity primary key,
  ca_id          bigint not null references rpki_ca,
  state          text not null check (state in ('new', 'current', 'old', 'destroyed')),
  -- SubjectPublicKeyInfo, and its key identifier in hexadecimal.
  public_key     bytea not null,
  key_identifier text not null unique,
  -- Sealed by SECRET_KEY, or what a hardware module calls it; null once it is destroyed.
  sealed_private bytea,
  certificate    bytea,
  certificate_serial text,
  not_before     timestamptz,
  not_after      timestamptz,
  -- What the certificate is for, as people write it.
  resources      text[] not null default '{}',
  created_at     timestamptz not null,
  state_since    timestamptz not null,
  check ((state = 'destroyed') = (sealed_private is null))
);
create unique index rpki_key_state on rpki_key (ca_id, state) where state <> 'destroyed';
-- Keys are numbered for their member, those that are gone included.
create index on rpki_key (ca_id);
call keep_history('rpki_key', secret_columns => '{sealed_private}');
call follow_life('rpki_key', 'state', 'current>destroyed current>old new>current new>destroyed old>destroyed');

-- The manifest and CRL of a key that signs: their number, which only grows, and when they end.
create table rpki_manifest (
  key_id      bigint primary key references rpki_key,
  number      bigint not null,
  this_update timestamptz not null,
  next_update timestamptz not null
);
create index on rpki_manifest (next_update);
call keep_history('rpki_manifest', with_copy => false, with_digests => false);

-- Certificates a key issued that have not ended, for its CRL.
create table rpki_certificate (
  key_id     bigint not null references rpki_key,
  -- Hexadecimal.
  serial     text not null,
  not_after  timestamptz not null,
  revoked_at timestamptz,
  primary key (key_id, serial)
);
create index on rpki_certificate (key_id) where revoked_at is not null;
call keep_history('rpki_certificate', with_copy => false, with_digests => false);

-- An authority that a member runs below the registry's (RFC 6492), and that may publish here (RFC 8181). It may stand beside a hosted one, so that one
-- is there before the other goes.
create table rpki_child (
  child_id     bigint generated always as identity primary key,
  account_name text not null references account,
  -- Of its addresses and its directory: random, as of hosted authorities.
  handle       text not null unique,
  state        text not null default 'active' check (state in ('active', 'removed')),
  -- As it introduced itself to its parent: its handle, a tag to be repeated, and the certificate it is known by.
  child_handle text not null,
  child_tag    text,
  identity     bytea not null,
  -- The same to the repository; null where it publishes elsewhere.
  publisher_handle   text,
  publisher_tag      text,
  publisher_identity bytea,
  created_at   timestamptz not null,
  removed_at   timestamptz,
  check ((publisher_handle is null) = (publisher_identity is null)),
  check ((state = 'removed') = (removed_at is not null))
);
create unique index rpki_child_account on rpki_child (account_name) where state = 'active';
call keep_history('rpki_child');
call follow_life('rpki_child', 'state', 'active>removed');

-- A key of such an authority for which it asked a certificate, and where it publishes by its own account. Resources it asked for, null for all.
create table rpki_child_key (
  child_key_id     bigint generated always as identity primary key,
  child_id         bigint not null references rpki_child,
  public_key       bytea not null,
  key_identifier   text not null unique,
  repository_uri   text not null,
  manifest_uri     text not null,
  notification_uri text,
  requested_asn    text,
  requested_ipv4   text,
  requested_ipv6   text,
  -- Null once it is taken back.
  certificate        bytea,
  certificate_serial text,
  not_before       timestamptz,
  not_after        timestamptz,
  resources        text[] not null default '{}',
  -- From when on resources that the account no longer holds leave the certificate.
  shrinks_at       timestamptz,
  created_at       timestamptz not null
);
create index on rpki_child_key (child_id);
call keep_history('rpki_child_key', with_copy => false);

-- What validators make of what an authority publishes, and what they would refuse.
create table rpki_child_judgement (
  child_id  bigint primary key references rpki_child,
  -- Null until the first judgement. It is made beside publications: `changes` counts what changed in what the authority publishes, `judged_changes` how
  -- much of that the judgement knows.
  judged_at timestamptz,
  changes   bigint not null default 0,
  judged_changes bigint not null default 0,
  problems  text[] not null,
  -- Forms that validators take and this registry does not write.
  hints     text[] not null default '{}',
  -- What validators derive ends with the authority's manifest, its CRL or the first certificate of an object.
  ends_at   timestamptz,
  -- When it is judged again: at that end, or earlier, when something that is not valid yet is.
  again_at  timestamptz,
  -- The end that the member was warned of.
  warned_of timestamptz
);
create index rpki_child_judgement_again on rpki_child_judgement (again_at);
call keep_history('rpki_child_judgement', with_copy => false, with_digests => false);

-- Announcements that validators find authorised by them.
create table rpki_child_vrp (
  child_id   bigint not null references rpki_child,
  prefix     cidr not null,
  asn        bigint not null,
  max_length integer not null,
  primary key (child_id, prefix, asn, max_length)
);
create index on rpki_child_vrp using gist (prefix inet_ops);
call keep_history('rpki_child_vrp', with_copy => false, with_digests => false);

-- Technical, without the guard: the last message of each authority, so that none is taken twice, and messages until they are answered.
create table rpki_child_contact (
  child_id       bigint not null,
  protocol       text not null check (protocol in ('provisioning', 'publication')),
  last_signed_at timestamptz not null,
  last_digest    text not null,
  last_at        timestamptz not null,
  primary key (child_id, protocol)
);
create table rpki_message (
  message_id  bigint generated always as identity primary key,
  child_id    bigint not null,
  protocol    text not null check (protocol in ('provisioning', 'publication')),
  content     text not null,
  received_at timestamptz not null,
  answer      bytea
);
-- Text that is made of signatures and keys hardly gets smaller, and a list of megabytes takes a moment to be tried.
alter table rpki_message alter column content set storage external;

-- The repository: every file that is published now, by its rsync address.
create table rpki_object (
  uri         text primary key,
  -- Who signed it: a key of the registry's, or an authority that a member runs, whose files stand beside the registry's own.
  key_id      bigint references rpki_key,
  child_id    bigint references rpki_child,
  kind        text not null constraint rpki_object_kind_check
    check (kind in ('trust-anchor', 'certificate', 'crl', 'manifest', 'roa', 'aspa', 'delegated') and (kind = 'delegated') = (child_id is not null)),
  content     bytea not null,
  sha256      bytea not null,
  -- What the file says of its time (RFC 9589): signing time, thisUpdate, notBefore. Of each copy of the file the same.
  modified_at timestamptz not null,
  -- Of the certificate that it is, or that is in it.
  serial      text,
  not_after   timestamptz,
  -- What it is made of: the ROAs in it, or the key that is certified.
  subject     text not null,
  roa_ids     bigint[] not null default '{}',
  -- The publication it appeared in.
  published_in bigint not null,
  -- When a file of the registry's begins to be valid: its certificate, or the CRL that it is. A clock that was wrong let some begin in the future, where
  -- validators refuse them, and they are made anew (decision 248). Null: of an authority that a member runs.
  not_before  timestamptz,
  check ((key_id is null) <> (child_id is null))
);
create index on rpki_object (key_id, kind);
create index on rpki_object (child_id) where child_id is not null;
create index on rpki_object using gin (roa_ids) where kind = 'roa';
create index on rpki_object (not_after) where kind in ('roa', 'aspa', 'certificate');
create index on rpki_object (not_before);
-- Signatures and keys hardly get smaller.
alter table rpki_object alter column content set storage external;
call keep_history('rpki_object', with_copy => false, with_digests => false);

-- Files of authorities that members run which changed since they were last judged: the rest is not read again. Rows are added by whatever changes a file, and
-- taken with the judgement.
create table rpki_changed_file (
  changed_file_id bigint generated always as identity primary key,
  child_id bigint not null references rpki_child,
  uri      text not null
);
create index on rpki_changed_file (child_id);
call keep_history('rpki_changed_file', with_copy => false, with_digests => false);

create function note_changed_files() returns trigger language plpgsql as $$
begin
  insert into rpki_changed_file (child_id, uri) select child_id, uri from touched where child_id is not null;
  return null;
end $$;
create trigger rpki_changed_file_inserted after insert on rpki_object referencing new table as touched for each statement execute function note_changed_files();
create trigger rpki_changed_file_updated after update on rpki_object referencing new table as touched for each statement execute function note_changed_files();
create trigger rpki_changed_file_deleted after delete on rpki_object referencing old table as touched for each statement execute function note_changed_files();

-- RRDP (RFC 8182): a session lasts as long as its serials are sure to have gone up by one each.
create table rrdp_session (
  session_id   text primary key,
  begun_at     timestamptz not null,
  reason       text not null,
  ended_at     timestamptz,
  serial       bigint not null,
  published_at timestamptz not null,
  -- Relying parties poll the notification with If-Modified-Since, which counts in seconds: each serial has a second of its own, also where several are
  -- published in one.
  modified_at  timestamptz not null,
  -- The folder of the snapshot of this serial: nobody can guess it before it is published.
  snapshot_name text not null
);
create unique index rrdp_session_current on rrdp_session ((true)) where ended_at is null;
call keep_history('rrdp_session', with_copy => false, with_digests => false);

-- Deltas that the notification names, to the byte.
create table rrdp_delta (
  session_id   text not null references rrdp_session,
  serial       bigint not null,
  name         text not null,
  content      bytea not null,
  sha256       bytea not null,
  published_at timestamptz not null,
  primary key (session_id, serial)
);
alter table rrdp_delta alter column content set storage external;
call keep_history('rrdp_delta', with_copy => false, with_digests => false);

-- Accounts whose certificate or ROAs may differ from what is published. Rows are added and taken, never changed, so that nobody waits for the publisher.
create table rpki_due (
  due_id       bigint generated always as identity primary key,
  account_name text not null,
  noticed_at   timestamptz not null default now()
);
call keep_history('rpki_due', with_copy => false, with_digests => false);

create function note_rpki_due() returns trigger language plpgsql as $$
begin
  insert into rpki_due (account_name) select distinct t.account_name from touched t
    where exists (select from rpki_ca c where c.account_name = t.account_name and c.state = 'active')
      or exists (select from rpki_child d where d.account_name = t.account_name and d.state = 'active') order by 1;
  if found then perform pg_notify('rpki', ''); end if;
  return null;
end $$;
create trigger rpki_due_delegation_inserted after insert on delegation referencing new table as touched for each statement execute function note_rpki_due();
create trigger rpki_due_delegation_updated after update on delegation referencing new table as touched for each statement execute function note_rpki_due();
create trigger rpki_due_delegation_left after update on delegation referencing old table as touched for each statement execute function note_rpki_due();
create trigger rpki_due_delegation_deleted after delete on delegation referencing old table as touched for each statement execute function note_rpki_due();
create trigger rpki_due_account_updated after update on account referencing new table as touched for each statement execute function note_rpki_due();
create trigger rpki_due_roa_inserted after insert on roa referencing new table as touched for each statement execute function note_rpki_due();
create trigger rpki_due_roa_updated after update on roa referencing new table as touched for each statement execute function note_rpki_due();
create trigger rpki_due_roa_deleted after delete on roa referencing old table as touched for each statement execute function note_rpki_due();
create trigger rpki_due_aspa_inserted after insert on aspa referencing new table as touched for each statement execute function note_rpki_due();
create trigger rpki_due_aspa_updated after update on aspa referencing new table as touched for each statement execute function note_rpki_due();
create trigger rpki_due_aspa_deleted after delete on aspa referencing old table as touched for each statement execute function note_rpki_due();

-- An authority itself: enabled, revoked, rolled over; one that a member runs too.
create function note_rpki_due_ca() returns trigger language plpgsql as $$
begin
  insert into rpki_due (account_name) select distinct account_name from touched where account_name is not null order by 1;
  if found then perform pg_notify('rpki', ''); end if;
  return null;
end $$;
create trigger rpki_due_ca_inserted after insert on rpki_ca referencing new table as touched for each statement execute function note_rpki_due_ca();
create trigger rpki_due_ca_updated after update on rpki_ca referencing new table as touched for each statement execute function note_rpki_due_ca();
create trigger rpki_due_child_inserted after insert on rpki_child referencing new table as touched for each statement execute function note_rpki_due_ca();
create trigger rpki_due_child_updated after update on rpki_child referencing new table as touched for each statement execute function note_rpki_due_ca();

-- What leaves the pools leaves its ROAs with the publication that certifies it: both notes are of one transaction.
create function note_rpki_due_as0() returns trigger language plpgsql as $$
begin
  insert into rpki_due (account_name) select '' where exists (select from touched where registry = '' and kind <> 'asn')
    and exists (select from rpki_ca where kind = 'as0' and state = 'active');
  if found then perform pg_notify('rpki', ''); end if;
  return null;
end $$;
create trigger rpki_due_pool_inserted after insert on pool referencing new table as touched for each statement execute function note_rpki_due_as0();
create trigger rpki_due_pool_updated after update on pool referencing new table as touched for each statement execute function note_rpki_due_as0();
create trigger rpki_due_pool_left after update on pool referencing old table as touched for each statement execute function note_rpki_due_as0();
create trigger rpki_due_pool_deleted after delete on pool referencing old table as touched for each statement execute function note_rpki_due_as0();

-- Signed checklists (RFC 9323): files that the holder of resources vouches for. Members say what they vouch for; bytes and certificate are the
-- publisher's. A checklist is handed on by the member and never published.
create table rpki_checklist (
  checklist_id bigint generated always as identity primary key,
  account_name text not null references account,
  resources    text[] not null check (cardinality(resources) > 0),
  -- Names, empty for a file without one, and the SHA-256 of each, hexadecimal, in the same order. The files themselves never leave the browser.
  file_names   text[] not null,
  file_hashes  text[] not null check (cardinality(file_hashes) > 0 and cardinality(file_hashes) = cardinality(file_names)),
  comment      text not null default '',
  created_at   timestamptz not null,
  ends_at      timestamptz not null,
  -- When a contact took it back.
  revoked_at   timestamptz,
  -- The key that signed it, the serial number of its certificate, hexadecimal, and the object.
  key_id       bigint references rpki_key,
  serial       text,
  content      bytea,
  check ((content is null) = (serial is null) and (content is null) = (key_id is null))
);
create index on rpki_checklist (account_name, checklist_id);
create index on rpki_checklist (key_id);
call keep_history('rpki_checklist');

create function note_rpki_due_checklist() returns trigger language plpgsql as $$
begin
  insert into rpki_due (account_name) values (new.account_name);
  perform pg_notify('rpki', '');
  return null;
end $$;
create trigger rpki_due_checklist_inserted after insert on rpki_checklist for each row execute function note_rpki_due_checklist();
create trigger rpki_due_checklist_revoked after update on rpki_checklist for each row
  when (old.revoked_at is distinct from new.revoked_at) execute function note_rpki_due_checklist();

-- Technical, without the guard: keys made ahead, each taken out for good before it is used (RFC 9286 asks for a new one for each manifest).
create table rpki_one_time_key (
  one_time_key_id bigint generated always as identity primary key,
  public_key      bytea not null,
  sealed_private  bytea not null,
  made_at         timestamptz not null
);

-- What suspended accounts have in RPKI, until the day on which the registry profile lets it go. The publisher writes a row when an account with an authority is
-- suspended, and takes it away when the account is open again; a change of the profile moves no day that a member was told.
create table rpki_suspension (
  account_name text primary key references account,
  noticed_at   timestamptz not null,
  -- In the registry's time zone, and its first instant; null while nothing is withdrawn.
  withdraws_on date,
  withdraws_at timestamptz,
  withdrawn_at timestamptz,
  check ((withdraws_on is null) = (withdraws_at is null)),
  check (withdrawn_at >= withdraws_at)
);
create index on rpki_suspension (withdraws_at) where withdrawn_at is null;
call keep_history('rpki_suspension');

-- Accounts with files that are left out of publication or that validators refuse: since when, and since when that is over. Their people got one mail when it began.
create table rpki_left_out (
  account_name text primary key references account,
  begun_at     timestamptz not null,
  over_at      timestamptz
);
call keep_history('rpki_left_out');

-- What ROAs of this registry say of addresses in common with these prefixes: those that holders asked for, and those that their own authorities published.
-- Whois and IRR stand before RPKI in the line-up of modules, and ask by these functions.
create function roas_around(prefixes cidr[]) returns table (prefix cidr, asn bigint, max_length integer) language sql stable as $$
  select r.prefix, r.asn, r.max_length from prefixes_and_around(prefixes) as w cross join lateral (select * from roa where roa.prefix = w.prefix offset 0) r
  union select r.prefix, r.asn, r.max_length from outermost_prefixes(prefixes) as w cross join lateral (select * from roa where roa.prefix << w.prefix offset 0) r
  union select v.prefix, v.asn, v.max_length from prefixes_and_around(prefixes) as w
    cross join lateral (select * from rpki_child_vrp where rpki_child_vrp.prefix = w.prefix offset 0) v
  union select v.prefix, v.asn, v.max_length from outermost_prefixes(prefixes) as w
    cross join lateral (select * from rpki_child_vrp where rpki_child_vrp.prefix << w.prefix offset 0) v
$$;

-- Says whether `published_vrps` changed: a file that is signed again has another time, and judgements of children have theirs.
create function published_vrps_version() returns text language sql stable as $$
  select concat_ws(' ', (select count(*) || ' ' || max(modified_at) || ' ' || max(published_in) from rpki_object where kind = 'roa'),
    (select count(*) from rpki_child_vrp), (select max(judged_at) from rpki_child_judgement))
$$;

-- What validators derive from the repository of this registry.
create function published_vrps() returns table (prefix cidr, asn bigint, max_length integer) language sql stable as $$
  select r.prefix, r.asn, r.max_length from rpki_object o cross join unnest(o.roa_ids) as made (roa_id) join roa r on r.roa_id = made.roa_id where o.kind = 'roa'
  union select v.prefix, v.asn, v.max_length from rpki_child_vrp v
$$;
