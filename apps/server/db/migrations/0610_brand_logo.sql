-- Logos of the registry (decision 327): few and small, so that they are in the database, where every process has them.

-- A logo that a person of the staff uploaded. It is never another one afterwards.
create table brand_logo (
  -- Of the content, its shape (its width at a height of 100) and its kind: a changed one is another file, which browsers keep for ever.
  name        text primary key check (name ~ '^[0-9a-f]{64}-[1-9][0-9]{0,3}[.](png|webp)$'),
  content     bytea not null check (length(content) between 1 and 262144),
  width       integer not null check (width > 0),
  height      integer not null check (height > 0),
  uploaded_by text not null references login,
  uploaded_at timestamptz not null
);
create index on brand_logo (uploaded_by);
call keep_history('brand_logo', with_copy => false);

create function refuse_other_logo() returns trigger language plpgsql as $$
begin
  raise exception 'A logo is never another one: its name is the digest of its content' using errcode = 'restrict_violation';
end $$;
create trigger refuse_other_logo before update or delete on brand_logo for each row execute function refuse_other_logo();
