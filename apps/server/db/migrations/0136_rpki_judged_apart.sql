-- What members' own authorities publish is judged beside publications: `changes` counts what changed in it, `judged_changes` how much of that the judgement knows.
alter table rpki_child_judgement
  add column changes bigint not null default 0,
  add column judged_changes bigint not null default 0;
-- Null until the first judgement.
alter table rpki_child_judgement alter column judged_at drop not null;
