-- The texts of mails as registry staff changed them. The program has a text for each kind of mail; it counts wherever there is no version here, or the newest one has none.

alter table mail add column kind text;

create table mail_text_version (
  kind            text not null,
  version         integer not null check (version > 0),
  -- Null: from then on the text of the program is used again.
  subject         text check (length(subject) between 1 and 200 and subject !~ '[[:cntrl:]]'),
  body            text check (length(body) between 1 and 8000),
  -- The text of the program at that time, so that a release that changes it can be seen.
  program_subject text not null,
  program_body    text not null,
  reason          text not null check (length(reason) between 1 and 500),
  login_id        text not null references login,
  -- Whether a second person had to approve it, and who did.
  guarded         boolean not null,
  approved_by     text references login,
  saved_at        timestamptz not null,
  primary key (kind, version),
  check ((subject is null) = (body is null)),
  check (approved_by <> login_id),
  check (approved_by is not null or not guarded)
);
create index on mail_text_version (login_id);
create index on mail_text_version (approved_by);
call keep_history('mail_text_version');

-- A version is never rewritten: a change is a new one.
create function mail_text_version_stays() returns trigger language plpgsql as $$
begin
  raise exception 'a version of the text of a mail is not changed or deleted; save a new one' using errcode = 'P0001';
end $$;
create trigger mail_text_version_stays before update or delete on mail_text_version for each row execute function mail_text_version_stays();
