-- Nominations that the portal holds itself: windows of nominations without an address.

create table nomination (
  nomination_id  bigint generated always as identity primary key,
  election_id    bigint not null references election,
  -- The member that nominates; null where a person does.
  account_name   text references account,
  nominated_by   text not null references login,
  nominator_name text not null check (length(nominator_name) <= 255),
  full_name      text not null check (length(full_name) between 2 and 100),
  email          text not null check (email = lower(email) and length(email) <= 254),
  organisation   text not null default '' check (length(organisation) <= 200),
  -- Of the nominator.
  reason         text not null check (length(reason) <= 3000),
  state          text not null check (state in ('AWAITING_AUTHORISATION', 'AWAITING_NOMINEE', 'CONFIRMED', 'ELIGIBLE', 'INELIGIBLE', 'DECLINED', 'WITHDRAWN')),
  nominated_at   timestamptz not null,
  -- Of the nominee, who alone writes it.
  statement      text not null default '' check (length(statement) <= 3000),
  answered_at    timestamptz,
  answered_by    text references login,
  -- Of registry staff, who check whether the nominee can stand.
  judged_at      timestamptz,
  judge_reason   text not null default '' check (length(judge_reason) <= 500),
  -- No one is a candidate without having agreed.
  check (state not in ('CONFIRMED', 'ELIGIBLE', 'INELIGIBLE') or answered_at is not null)
);
-- One nomination for each person; another can follow one that was declined or withdrawn.
create unique index nomination_standing on nomination (election_id, email) where state not in ('DECLINED', 'WITHDRAWN');
create index on nomination (account_name);
create index on nomination (nominated_by);
create index on nomination (answered_by);
call keep_history('nomination');
