-- Whether articles of the help answered the questions of their readers, counted by month. No one is named, and nothing of the registry changes: no history.
create table help_answer (
  article text not null check (article ~ '^[a-z0-9][a-z0-9-]{0,79}$'),
  -- Its first day.
  month   date not null check (extract(day from month) = 1),
  helped  boolean not null,
  answers integer not null check (answers > 0),
  primary key (article, month, helped)
);
