-- Self-hosted RPKI: accounts that run a certificate authority of their own below the registry's (RFC 6492), and may publish here (RFC 8181).

-- The identity by which those authorities know the registry (RFC 8183) is an authority of its own kind; its key certifies no number resources.
alter table rpki_ca drop constraint rpki_ca_kind_check;
alter table rpki_ca add constraint rpki_ca_kind_check check (kind in ('trust-anchor', 'registry', 'member', 'identity'));

-- An authority that a member runs. It may stand beside a hosted one, so that one is there before the other goes.
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

-- Files of such authorities stand in the repository beside the registry's own.
alter table rpki_object alter column key_id drop not null;
alter table rpki_object add column child_id bigint references rpki_child;
alter table rpki_object add check ((key_id is null) <> (child_id is null));
alter table rpki_object drop constraint rpki_object_kind_check;
alter table rpki_object add constraint rpki_object_kind_check
  check (kind in ('trust-anchor', 'certificate', 'crl', 'manifest', 'roa', 'aspa', 'delegated') and (kind = 'delegated') = (child_id is not null));
create index on rpki_object (child_id) where child_id is not null;

-- What validators derive from them, and what they would refuse.
create table rpki_child_judgement (
  child_id  bigint primary key references rpki_child,
  judged_at timestamptz not null,
  problems  text[] not null
);
call keep_history('rpki_child_judgement', with_copy => false);
create table rpki_child_vrp (
  child_id   bigint not null references rpki_child,
  prefix     cidr not null,
  asn        bigint not null,
  max_length integer not null,
  primary key (child_id, prefix, asn, max_length)
);
create index on rpki_child_vrp using gist (prefix inet_ops);
call keep_history('rpki_child_vrp', with_copy => false);

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

create or replace function note_rpki_due() returns trigger language plpgsql as $$
begin
  insert into rpki_due (account_name) select distinct t.account_name from touched t
    where exists (select from rpki_ca c where c.account_name = t.account_name and c.state = 'active')
      or exists (select from rpki_child d where d.account_name = t.account_name and d.state = 'active') order by 1;
  if found then perform pg_notify('rpki', ''); end if;
  return null;
end $$;
create trigger rpki_due_child_inserted after insert on rpki_child referencing new table as touched for each statement execute function note_rpki_due_ca();
create trigger rpki_due_child_updated after update on rpki_child referencing new table as touched for each statement execute function note_rpki_due_ca();
