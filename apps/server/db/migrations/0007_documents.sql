-- Files members and the registry send each other. Content is kept outside the database under its SHA-256, written
-- there before its row; a row never changes what it says of the content.

create table stored_file (
  -- Of the content, hexadecimal; also its name under DATA_DIR/files.
  sha256     text primary key check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes      bigint not null check (bytes > 0),
  -- Spreadsheets, texts and packet captures too: address plans, logs and captures, as network operators send them.
  kind       text not null check (kind in ('pdf', 'png', 'jpg', 'docx', 'xlsx', 'txt', 'pcap')),
  stored_at  timestamptz not null,
  -- By a virus scanner, where one is configured.
  checked    text not null check (checked in ('not-checked', 'being-checked', 'clean', 'infected')),
  checked_at timestamptz,
  -- What the scanner found; the content of such a file is deleted.
  finding    text,
  check ((checked in ('clean', 'infected')) = (checked_at is not null)),
  check ((checked = 'infected') = (finding is not null))
);
call keep_history('stored_file');

create table document (
  document_id     bigint generated always as identity primary key,
  sha256          text not null references stored_file,
  file_name       text not null check (length(file_name) between 1 and 150),
  uploaded_by     text not null references login,
  uploaded_at     timestamptz not null,
  -- Registry staff sent it, as such.
  by_staff        boolean not null default false,
  -- Without an account and a reference it belongs to nothing yet.
  account_name    text references account,
  -- What it was sent for: a request by its reference, such as ORG-12.
  reference       text,
  title           text not null check (length(title) between 1 and 150),
  type            text not null default 'other' check (type in ('agreement', 'certificate', 'tax', 'identity', 'legal', 'correspondence', 'other')),
  visibility      text not null default 'corporate' check (visibility in ('all-contacts', 'corporate', 'billing')),
  valid_until     date,
  signature       text not null default 'none' check (signature in ('none', 'to-sign', 'signed')),
  -- The corporate contact who signed, as they were called then.
  signed_by       uuid references contact,
  signed_name     text,
  signed_at       timestamptz,
  deleted_at      timestamptz,
  deleted_by      text references login,
  deletion_reason text,
  check ((signature = 'signed') = (signed_at is not null)),
  check (signature = 'none' or account_name is not null)
);
create index on document (account_name, document_id desc) where deleted_at is null;
create index on document (reference) where reference is not null;
create index on document (sha256);
create index on document (uploaded_by, uploaded_at);
create index document_unused on document (uploaded_at) where account_name is null and reference is null;
create index on document (signed_by);
create index on document (deleted_by);
call keep_history('document');

-- Who was given an address of which file, and when.
create table document_opening (
  document_opening_id bigint generated always as identity primary key,
  document_id bigint not null references document on delete cascade,
  login_id    text not null references login,
  opened_at   timestamptz not null
);
create index on document_opening (document_id, login_id);
create index on document_opening (login_id);
call keep_history('document_opening', with_copy => false);

-- Certificates of membership that were issued: what each says, so that anybody who holds one can check it.
create table membership_certificate (
  code         text primary key check (code ~ '^[0-9A-HJKMNP-TV-Z]{16}$'),
  account_name text not null references account,
  org_name     text not null,
  economy      text,
  member_since date,
  valid_until  date,
  issued_by    text not null references login,
  issued_at    timestamptz not null
);
create index on membership_certificate (account_name, issued_at desc);
create index on membership_certificate (issued_by);
call keep_history('membership_certificate');
