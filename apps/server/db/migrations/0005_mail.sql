-- Mail that was or will be sent. A row exists if and only if the change that needed it committed; a task delivers it.
create table mail (
  mail_id      bigint generated always as identity primary key,
  recipient    text not null,
  subject      text not null,
  body         text not null,
  -- The account it is about, for the account's own overview later.
  account_name text,
  written_at   timestamptz not null,
  sent_at      timestamptz,
  failure      text
);
create index mail_written on mail (written_at desc);
call keep_history('mail', with_copy => false);
