-- Feeds of announcements that are for one person.

-- The address of a person's own feed: a digest of the part that can't be guessed. A new address replaces it.
create table announcement_feed (
  login_id       text primary key references login,
  address_digest bytea not null unique check (length(address_digest) = 32),
  made_at        timestamptz not null
);
call keep_history('announcement_feed', secret_columns => '{address_digest}');
