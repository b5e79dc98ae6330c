-- What is done again and again, whichever worker does it: when it was last begun and done, and why it failed. The queue is graphile-worker's.
create table periodic_work (
  name text primary key,
  known_since timestamptz not null,
  begun_at timestamptz,
  succeeded_at timestamptz,
  failed_at timestamptz,
  -- Of the last run; null when it succeeded.
  failure text,
  -- What the last run that succeeded left for the next one, such as how far it came.
  noted jsonb
);
