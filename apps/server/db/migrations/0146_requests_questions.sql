-- Questions of the registry, each to one party of a case: a transfer has two, and the one doesn't read what the other is asked.

create table resource_request_question (
  resource_request_question_id bigint generated always as identity primary key,
  resource_request_id bigint not null references resource_request,
  -- The party that is asked: it alone reads the question and answers it.
  account_name text not null references account,
  words        text not null check (words <> ''),
  asked_by     text references login,
  asked_at     timestamptz not null,
  -- The case expires when this has passed without an answer.
  answer_by    timestamptz not null,
  -- Reminders sent.
  reminders    integer not null default 0,
  -- When it was answered, or was of no interest any more.
  closed_at    timestamptz
);
create index on resource_request_question (resource_request_id);
create index on resource_request_question (account_name);
create index on resource_request_question (asked_by);
create index resource_request_question_due on resource_request_question (asked_at) where closed_at is null;
-- One question at a time to each party.
create unique index resource_request_question_open on resource_request_question (resource_request_id, account_name) where closed_at is null;
-- Until now the account that sent the case was asked.
insert into resource_request_question (resource_request_id, account_name, words, asked_by, asked_at, answer_by, reminders)
  select resource_request_id, account_name, question, reviewer, since, expires_at, reminders from resource_request
  where state = 'needs-info' and question <> '' and expires_at is not null;
call keep_history('resource_request_question');

alter table resource_request drop column question;
