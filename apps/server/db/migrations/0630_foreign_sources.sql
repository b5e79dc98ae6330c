-- Objects of other registries, mirrored so that queries may ask for them by their source. They are in no table of whois: nothing that authorises, verifies, publishes or validates
-- the registry's own objects reads these. A copy is written beside the one that is shown, and replaces it in one step.
create table foreign_copy (
  copy_id  bigint generated always as identity primary key,
  source   text not null,
  begun_at timestamptz not null,
  -- Since when it is no longer shown: answers that began before still read it.
  left_at  timestamptz
);

-- The sources that are followed: the copy that is shown of each, how far it goes, and how the last turns went.
create table foreign_source (
  name         text primary key check (name ~ '^[A-Z][A-Z0-9-]*[A-Z0-9]$'),
  -- How it is followed. What was followed in another way, or under another first key, is loaded anew.
  way          text not null check (way in ('dump', 'nrtm3', 'nrtm4')),
  copy_id      bigint unique references foreign_copy,
  objects      integer not null default 0 check (objects >= 0),
  -- Objects of the copy that are not kept: other classes, another source, not readable.
  left_out     integer not null default 0 check (left_out >= 0),
  -- The last serial in the copy; of NRTM 4 its version.
  serial       bigint not null default 0 check (serial >= 0),
  -- NRTM 4: the session, the keys that may sign (`first_key` as the operator gave it), and the hashes of the files named last.
  session      text,
  first_key    text,
  signing_key  text,
  next_key     text,
  files        jsonb not null default '{}',
  loaded_at    timestamptz,
  -- The instant as of which the copy is complete, as far as it is known.
  as_of        timestamptz,
  load_due     boolean not null default true,
  succeeded_at timestamptz,
  -- Not before this instant is it asked again.
  next_at      timestamptz,
  failures     integer not null default 0 check (failures >= 0),
  problem      text,
  check ((copy_id is null) = (loaded_at is null)),
  check ((failures > 0) = (problem is not null))
);

create table foreign_object (
  object_id bigint generated always as identity primary key,
  copy_id   bigint not null references foreign_copy,
  class     text not null,
  -- As in whois_object: identity within the class, in small letters, and in the spelling of the object.
  key       text not null,
  shown     text not null,
  -- What is kept of the object: without contacts, credentials, remarks and comments.
  text      text not null,
  -- route, route6.
  prefix    cidr,
  origin    bigint,
  -- Sets: what they name as members.
  members   text[] not null default '{}',
  -- Values by which `-i` finds it, each after the name of its attribute and a blank.
  inverse   text[] not null default '{}',
  unique (copy_id, class, key),
  check ((prefix is null) = (origin is null) and (prefix is null) = (class not in ('route', 'route6')))
);
create index foreign_object_prefix on foreign_object using spgist (prefix inet_ops) where prefix is not null;
create index foreign_object_origin on foreign_object (origin, copy_id) where origin is not null;
create index foreign_object_inverse on foreign_object using gin (inverse);
create index foreign_object_name on foreign_object (key text_pattern_ops) where class not in ('route', 'route6');
-- The words by which anyone finds an object, as for the registry's own (`whois_object_words`).
create index foreign_object_words on foreign_object using gin (whois_words(class, key, text)) with (gin_pending_list_limit = 512);
