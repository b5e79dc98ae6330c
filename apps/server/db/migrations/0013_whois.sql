-- The whois database: objects as members wrote them, what is found by, every version, and the work done on many at once.
-- Whois writes wait for each other (modules/whois/submit/lock.ts): serials are dense and in the order
-- of commits, and what one submission found (references, parents, overlaps) holds until it is stored.
--
-- whois_object, whois_key, whois_reference and whois_journal are guarded as every table, but not copied: the journal is their history
-- (docs/decisions/0020-whois-journal.md). They have no foreign keys to each other: a look-up for each of the ten rows of an object would cost as much
-- as storing it; one file writes them all (modules/whois/submit/store.ts).

create table whois_object (
  object_id     bigint generated always as identity primary key,
  class         text not null,
  -- Identity within the class: normalised, lower case. `shown` is the same for people: normalised, in the spelling of the object.
  key           text not null,
  shown         text not null,
  -- The truth; all other columns and the two tables below are read from it.
  text          text not null,
  version       integer not null check (version > 0),
  -- Host addresses: both ends of an inetnum, inet6num, route or route6, and of what a reverse domain stands for.
  first         inet,
  last          inet,
  -- Where the range is a prefix.
  prefix_length smallint,
  -- aut-num (both the same), as-block.
  first_as      bigint,
  last_as       bigint,
  -- route, route6.
  origin        bigint,
  -- Its mnt-by names a maintainer of the registry.
  registry_maintained boolean not null default false,
  -- Written by the registry out of its ledger, for this account's delegation or organisation: its key, status, holder and maintainers follow the
  -- ledger, the rest is the account's to edit.
  kept_for      text references account,
  -- The registry writes it, and no account edits it: as-blocks, the registry's own contacts.
  kept          boolean not null default false,
  -- Shares its handle with an older object. Both stay until one of them is deleted; registry staff see them.
  handle_shared boolean not null default false,
  created_at    timestamptz not null,
  changed_at    timestamptz not null,
  unique (class, key),
  check ((first is null) = (last is null) and (first_as is null) = (last_as is null)),
  check (kept or kept_for is null)
);
create index whois_object_kept_for on whois_object (kept_for, class) where kept_for is not null;
-- The irts that the registry keeps for accounts: found by account.
create index whois_object_kept_irt on whois_object (kept_for) where class = 'irt' and kept_for is not null;
-- One name space of handles: what names a contact, an organisation, a maintainer, an irt or a key names one object, whatever its class.
create unique index whois_object_one_handle on whois_object (key)
  where class in ('person', 'role', 'organisation', 'mntner', 'irt', 'key-cert') and not handle_shared;
create index whois_object_handle_shared on whois_object (key) where handle_shared;
-- Exact ranges, and all within a range: first >= a and first <= b and last <= b.
create index whois_object_network on whois_object (first, last) where class in ('inetnum', 'inet6num');
create index whois_object_route on whois_object (first, prefix_length) include (origin) where class in ('route', 'route6');
create index whois_object_domain on whois_object (first, last) where class = 'domain' and first is not null;
-- All that hold an address or a range: `inet_merge(first, last) >>= $1`, the smallest prefix over both ends being the range itself for nearly all, then
-- first <= $1 and last >= $2 of what was found (not beside it: the planner would scan whois_object_network). Some 25 microseconds of a million objects.
create index whois_object_networks_over on whois_object using spgist (inet_merge(first, last) inet_ops) where class in ('inetnum', 'inet6num');
create index whois_object_routes_over on whois_object using spgist (inet_merge(first, last) inet_ops) where class in ('route', 'route6');
create index whois_object_domains_over on whois_object using spgist (inet_merge(first, last) inet_ops) where class = 'domain' and first is not null;
create index whois_object_as_block on whois_object (first_as, last_as) where class = 'as-block';
create index whois_object_origin on whois_object (origin, first) where class in ('route', 'route6');
create index whois_object_changed on whois_object (class, changed_at);
-- Beginnings of handles: RDAP searches for entities.
create index whois_object_handle on whois_object (key text_pattern_ops) where class in ('person', 'role', 'organisation', 'irt', 'mntner');
call keep_history('whois_object', with_copy => false, with_digests => false);

-- What members wrote over a locked part stays; what the registry writes out of its ledger follows the ledger.
create trigger refuse_over_locked_part_made after insert or update on whois_object for each row when (not new.kept) execute function refuse_over_locked_part('range');
create trigger refuse_over_locked_part_deleted after delete on whois_object for each row when (not old.kept) execute function refuse_over_locked_part('range');

-- What RDAP searches by: netnames and as-names, and the names of zones and AS numbers, by their beginnings. The function reads the name that a network
-- or AS number gives itself, in lower case.
create function named_in(object text) returns text language sql immutable parallel safe as
  $$ select lower(substring(object from '(?in)^(?:netname|as-name):[ \t]*(\S+)')) $$;
create index whois_object_netname on whois_object (named_in(text) text_pattern_ops) where class in ('inetnum', 'inet6num');
create index whois_object_as_name on whois_object (named_in(text) text_pattern_ops) where class = 'aut-num';
create index whois_object_numbered on whois_object (key text_pattern_ops) where class in ('domain', 'aut-num');

-- RDAP searches for entities by the beginnings of their names, in the order of names. The function reads the name of a person, role, organisation, irt or mntner in lower case: the value of its first line, of an organisation that of org-name. Read without a
-- regular expression, as thousands of names are compared with a pattern in one search.
create function called_in(class text, object text) returns text language sql immutable parallel safe as
  $$ select lower(btrim(split_part(split_part(case class when 'organisation' then split_part(object, E'\norg-name:', 2)
    else substr(object, strpos(object, ':') + 1) end, E'\n', 1), '#', 1), E' \t')) $$;
create index whois_object_called on whois_object (called_in(class, text) text_pattern_ops) where class in ('person', 'role', 'organisation', 'irt', 'mntner');

-- Look-up keys beside the primary key, in lower case: netnames, words of names, e-mail addresses.
create table whois_key (
  object_id bigint not null,
  key       text not null,
  primary key (object_id, key)
);
-- Whole keys, and their beginnings (RDAP searches), whatever the collation.
create index whois_key_key on whois_key (key text_pattern_ops) include (object_id);
call keep_history('whois_key', with_copy => false, with_digests => false);

-- Values of inverse attributes, normalised, in lower case, each once: who refers to whom. Also `members` and `mp-members` of sets, so that sets are
-- expanded by joins; those do not hold the referred object back from being deleted.
create table whois_reference (
  object_id bigint not null,
  attribute text not null,
  value     text not null,
  primary key (object_id, attribute, value)
);
create index whois_reference_value on whois_reference (value, attribute) include (object_id);
call keep_history('whois_reference', with_copy => false, with_digests => false);

-- Every version of every object, in the order of their commits without gaps: history, serials of dumps and mirrors (NRTM).
create table whois_journal (
  serial      bigint primary key check (serial > 0),
  -- ADD: created or modified, text as it became; DEL: deleted, text as it was.
  operation   text not null check (operation in ('ADD', 'DEL')),
  class       text not null,
  key         text not null,
  shown       text not null,
  -- Counts the lines of this key, deletions too, so that a version is never given twice.
  version     integer not null check (version > 0),
  text        text not null,
  activity_id bigint not null,
  -- Why it was deleted, in the words of who did.
  reason      text not null default '',
  happened_at timestamptz not null,
  -- What the line says, hashed when it is written: the journal is the history of whois objects.
  digest      bytea,
  unique (class, key, version)
);
create index whois_journal_activity on whois_journal (activity_id);
create index whois_journal_happened on whois_journal using brin (happened_at);
-- Networks and routes that are no more, by the address they began with: `198.18.0.0` of `198.18.0.0 - 198.18.1.255`, `198.18.0.0/23`, `198.18.0.0/23AS64500`.
create index whois_journal_gone on whois_journal ((split_part(split_part(split_part(key, ' ', 1), 'as', 1), '/', 1)::inet))
  where operation = 'DEL' and class in ('inetnum', 'inet6num', 'route', 'route6');
-- Routes that are no more, by the number that originated them: `64500` of `198.18.0.0/23as64500`; for the page of an AS number as of a day.
create index whois_journal_gone_origin on whois_journal (split_part(key, 'as', 2)) where operation = 'DEL' and class in ('route', 'route6');
call keep_history('whois_journal', with_copy => false);

-- Columns are named one by one: one that is added later must not break old digests.
create function journal_digest(j whois_journal) returns bytea language sql immutable
  return sha256(convert_to(jsonb_build_array(j.serial, j.operation, j.class, j.key, j.shown, j.version, j.text, j.activity_id, j.reason)::text, 'UTF8'));

create function keep_journal_digest() returns trigger language plpgsql as $$
begin
  new.digest := journal_digest(new);
  return new;
end $$;

create trigger z_keep_digest before insert on whois_journal for each row execute function keep_journal_digest();

create function keep_journal_end() returns trigger language plpgsql as $$
declare
  added bigint;
  before bigint := coalesce((select lines from log_end where log = 'whois_journal' for update), 0);
begin
  select count(*) into added from inserted;
  if added = 0 then return null; end if;
  insert into log_end as e (log, lines, last, hash, digest)
    select 'whois_journal', before + added, serial, coalesce(j.digest, ''), log_end_digest('whois_journal', before + added, serial, coalesce(j.digest, ''))
    from inserted j order by serial desc limit 1
    on conflict (log) do update set lines = excluded.lines, last = excluded.last, hash = excluded.hash, digest = excluded.digest;
  return null;
end $$;
create trigger z_keep_end after insert on whois_journal referencing new table as inserted for each statement execute function keep_journal_end();

-- Readers in other processes learn of commits by the last serial.
create function announce_whois() returns trigger language plpgsql as $$
begin
  perform pg_notify('whois', (select max(serial) from whois_journal)::text);
  return null;
end $$;
create trigger announce_whois after insert on whois_journal for each statement execute function announce_whois();

-- The last number of each kind of handle: numbers are never given again.
create table handle_sequence (
  -- Lower case; `org-ex` for an organisation's.
  letters text not null,
  suffix  text not null,
  last    bigint not null check (last >= 0),
  primary key (letters, suffix)
);
call keep_history('handle_sequence', with_copy => false);

-- Maintainers an account may write with. Which contact may is a permission: whois-mntner:<NAME>, for the principal one whois-principal-mntner-access.
create table maintainer_link (
  account_name text not null references account,
  -- The key of the mntner object.
  maintainer   text not null,
  principal    boolean not null default false,
  linked_at    timestamptz not null,
  primary key (account_name, maintainer)
);
create unique index maintainer_link_principal on maintainer_link (account_name) where principal;
create index on maintainer_link (maintainer);
call keep_history('maintainer_link');

-- A code mailed to all upd-to addresses of a maintainer that an account wants to link; another request replaces it.
create table maintainer_code (
  account_name text not null references account,
  maintainer   text not null,
  code_hash    text not null,
  sent_at      timestamptz not null,
  due_at       timestamptz not null,
  wrong_codes  integer not null default 0,
  primary key (account_name, maintainer)
);
call keep_history('maintainer_code', secret_columns => '{code_hash}');

-- Mailboxes of irt objects: somebody has to show twice a year that they are read (policy prop-125).
create table irt_contact (
  irt          text not null,
  mailbox      text not null,
  attribute    text not null check (attribute in ('e-mail', 'abuse-mailbox')),
  state        text not null default 'valid' check (state in ('valid', 'pending', 'invalid', 'restricted')),
  -- The code last mailed, until it is used or replaced; the same for all rows of a mailbox.
  code_hash    text,
  -- Mails of this round: asked, reminded, marked invalid, warned, restricted.
  mails        integer not null default 0,
  -- When the next of them is due; of a valid one, when it is asked again.
  due_at       timestamptz,
  asked_at     timestamptz,
  sent_at      timestamptz,
  -- The days until the restriction count from here. A mailbox put in place of one that did not answer starts them anew once a round, not more.
  clock_from   timestamptz,
  restarted    boolean not null default false,
  validated_at timestamptz,
  resent_on    date,
  resends      integer not null default 0,
  wrong_codes  integer not null default 0,
  wrong_at     timestamptz,
  primary key (irt, mailbox, attribute)
);
create index on irt_contact (mailbox);
create index irt_contact_due on irt_contact (due_at);
call keep_history('irt_contact', secret_columns => '{code_hash}');

-- The objects of one task: asked for, and what came of each. The journal keeps what they changed.
create table whois_task_item (
  task_id          bigint not null references task,
  item_no          integer not null check (item_no > 0),
  -- What was asked for.
  operation        text not null check (operation in ('create', 'modify', 'delete', 'auto')),
  class            text not null,
  key              text not null,
  shown            text not null,
  text             text not null,
  reason           text not null default '',
  expected_version integer,
  state            text not null default 'pending' check (state in ('pending', 'ok', 'unchanged', 'failed', 'skipped')),
  -- What was done.
  done             text check (done in ('create', 'modify', 'delete')),
  before_version   integer,
  after_version    integer,
  problems         jsonb not null default '[]',
  primary key (task_id, item_no)
);
create index whois_task_item_state on whois_task_item (task_id, state, item_no);
create index on whois_task_item (class, key);
call keep_history('whois_task_item', with_copy => false, with_digests => false);

-- Accounts whose kept objects may differ from the ledger: brought in line by the worker (modules/whois/ledger/registry-object-sync.ts), which is told on the
-- channel `ledger`. By trigger, so that no way of changing the ledger is forgotten; one row an account, however many delegations an import has.
create table whois_due_account (
  account_name text primary key,
  noticed_at   timestamptz not null default now()
);
call keep_history('whois_due_account', with_copy => false, with_digests => false);

create function note_due_account() returns trigger language plpgsql as $$
begin
  -- The update holds a row back that the worker is about to take, until this change can be seen.
  insert into whois_due_account (account_name) select distinct account_name from touched where account_name is not null order by 1
  on conflict (account_name) do update set noticed_at = now();
  if found then perform pg_notify('ledger', ''); end if;
  return null;
end $$;
create trigger due_delegation_inserted after insert on delegation referencing new table as touched for each statement execute function note_due_account();
create trigger due_delegation_updated after update on delegation referencing new table as touched for each statement execute function note_due_account();
create trigger due_delegation_left after update on delegation referencing old table as touched for each statement execute function note_due_account();
create trigger due_delegation_deleted after delete on delegation referencing old table as touched for each statement execute function note_due_account();
create trigger due_account_updated after update on account referencing new table as touched for each statement execute function note_due_account();
create trigger due_organisation_inserted after insert on organisation referencing new table as touched for each statement execute function note_due_account();
create trigger due_organisation_updated after update on organisation referencing new table as touched for each statement execute function note_due_account();
create trigger due_link_inserted after insert on maintainer_link referencing new table as touched for each statement execute function note_due_account();
create trigger due_link_updated after update on maintainer_link referencing new table as touched for each statement execute function note_due_account();

-- Whois objects, prefixes and AS numbers of which a contact wants to hear when somebody changes them (modules/whois/follows/follows.ts).
create table whois_follow (
  follow_id    bigint generated always as identity primary key,
  contact_id   uuid not null references contact,
  account_name text not null references account,
  -- Of one object: its class and normalised key. Null: all that whois says of some numbers, and of what lies in them.
  class        text,
  key          text not null,
  -- As people write it.
  shown        text not null,
  first        inet,
  last         inet,
  first_as     bigint,
  last_as      bigint,
  -- What the journal held when it began: earlier changes are not told of.
  since_serial bigint not null check (since_serial >= 0),
  followed_at  timestamptz not null,
  unique nulls not distinct (contact_id, class, key),
  check (class is null = (first is not null or first_as is not null)),
  check (first is null = (last is null) and first_as is null = (last_as is null) and (first is null or first_as is null))
);
create index on whois_follow (account_name);
create index on whois_follow (class, key);
create index whois_follow_first on whois_follow (first) where first is not null;
create index whois_follow_first_as on whois_follow (first_as) where first_as is not null;
call keep_history('whois_follow');

-- The last serial of the journal that followers were told of; one row.
create table whois_follow_progress (
  only_row boolean primary key default true check (only_row),
  serial   bigint not null check (serial >= 0)
);
insert into whois_follow_progress (serial) values (0);
call keep_history('whois_follow_progress', with_copy => false, with_digests => false);

-- Updates of whois objects that lack one word: routes of which only the holder of the addresses or of the AS number has agreed, resources that
-- name somebody else's irt. They wait seven days for it (modules/whois/consents/consents.ts).
create table whois_consent (
  consent_id   bigint generated always as identity primary key,
  account_name text not null references account,
  contact_id   uuid not null references contact,
  -- What is submitted once somebody agrees: objects parted by empty lines.
  text         text not null,
  -- `route 192.0.2.0/24AS64500`
  objects      text[] not null,
  -- Keys of the maintainers of which any one can agree, and what they are asked, in words.
  maintainers  text[] not null check (maintainers <> '{}'),
  why          text not null,
  state        text not null default 'waiting' check (state in ('waiting', 'accepted', 'failed', 'refused', 'withdrawn', 'expired')),
  -- Why it was refused, or what stood against it when it was accepted.
  reason       text not null default '',
  asked_at     timestamptz not null,
  due_at       timestamptz not null,
  -- How often those who are asked were reminded.
  reminders    integer not null default 0,
  decided_at   timestamptz,
  decided_by   uuid references contact
);
-- The same is not asked twice.
create unique index whois_consent_waiting on whois_consent (account_name, md5(text)) where state = 'waiting';
create index whois_consent_due on whois_consent (due_at) where state = 'waiting';
create index whois_consent_asked on whois_consent (account_name, asked_at);
create index whois_consent_maintainers on whois_consent using gin (maintainers);
call keep_history('whois_consent');

-- The last users of a maintainer that somebody took it from: they lose it a day later, unless the mailed code is used.
create table maintainer_last_user (
  account_name text not null references account,
  maintainer   text not null,
  contact_ids  uuid[] not null check (contact_ids <> '{}'),
  code_hash    text not null,
  wrong_codes  integer not null default 0,
  asked_at     timestamptz not null,
  due_at       timestamptz not null,
  primary key (account_name, maintainer)
);
create index on maintainer_last_user (due_at);
call keep_history('maintainer_last_user', secret_columns => '{code_hash}');

-- Who has an object open in the editor: seconds of life, lost without harm.
create unlogged table whois_presence (
  account_name text not null,
  class        text not null,
  key          text not null,
  contact_id   uuid not null,
  seen_at      timestamptz not null,
  primary key (account_name, class, key, contact_id)
);

-- What an account asked for the whois objects of numbers that it was given: the name of the network, its contacts, its maintainer and the mailbox for
-- abuse reports. What is empty is as the account has it. The objects are made from it whenever the ledger has them written; it lasts for as long as the
-- account holds some of the numbers.
create table asked_object (
  asked_object_id bigint generated always as identity primary key,
  account_name text not null references account,
  kind text not null check (kind in ('ipv4', 'ipv6', 'asn')),
  first inet,
  last inet,
  first_as bigint,
  last_as bigint,
  netname text not null default '',
  -- A second line of `descr`: for whom the numbers are, where the holder has them for a member of its own.
  descr text not null default '',
  admin_c text not null default '',
  tech_c text not null default '',
  maintainer text not null default '',
  abuse_mailbox text not null default '',
  check (case kind when 'asn' then first is null and last is null and first_as >= 0 and last_as >= first_as
    else first_as is null and last_as is null and first <= last and family(first) = case kind when 'ipv4' then 4 else 6 end end),
  constraint asked_object_ends check (case kind when 'asn' then num_nonnulls(first_as, last_as) = 2 else num_nonnulls(first, last) = 2 end)
);
create index asked_object_account on asked_object (account_name);
call keep_history('asked_object');

-- Lines of the registry's whois object that go along with a network to its new holder, until that object is made: seconds.
create table carried_line (
  carried_line_id bigint generated always as identity primary key,
  first     inet not null,
  last      inet not null,
  attribute text not null check (attribute in ('admin-c', 'tech-c', 'mnt-irt', 'geofeed', 'remarks')),
  value     text not null,
  check (first <= last)
);
call keep_history('carried_line');
