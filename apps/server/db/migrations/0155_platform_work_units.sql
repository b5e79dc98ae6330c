-- Work that was begun and has not ended: a task, a run of periodic work, a message of another system. What is still here when it is begun anew ended its
-- process, or hung it until somebody ended it. The second time it is set aside for people to look at.
create table work_unit (
  queue text not null,
  unit text not null,
  -- What it is, in words for operators.
  title text not null,
  account_name text,
  -- Since when it is at work; null while it is not.
  begun_at timestamptz,
  -- The process at work on it.
  process text,
  -- When it last got further, as far as it says.
  progressed_at timestamptz,
  -- How often its process ended while it was at work, since it last got further.
  ended_processes integer not null default 0,
  set_aside_at timestamptz,
  -- What was seen of it last, such as the exception that nothing awaited.
  sign text,
  primary key (queue, unit)
);
create index on work_unit (set_aside_at) where set_aside_at is not null;
create index on work_unit (begun_at) where begun_at is not null;
