-- Findings of data quality: what is looked for by the hour, how many there were on each day, and the campaigns that write to the people who can put them right.

-- Findings that take minutes to find, as they were last found. `lame-servers` has here the holders of the zones alone: the servers themselves are read where they are watched.
create table quality_row (
  finding      text not null check (finding in ('whois-ledger', 'stale-records', 'lame-servers')),
  account_name text references account,
  subject      text not null,
  detail       text not null,
  since        timestamptz,
  unique nulls not distinct (finding, account_name, subject, detail)
);
create index on quality_row (account_name);
create index quality_row_subject on quality_row (finding, subject);
call keep_history('quality_row', with_copy => false, with_digests => false);

-- How many there were of each finding on each day (UTC), as it was last counted on it.
create table quality_day (
  finding  text not null,
  day      date not null,
  rows     integer not null check (rows >= 0),
  accounts integer not null check (accounts >= 0),
  primary key (finding, day)
);
call keep_history('quality_day', with_copy => false);

-- E-mails to the people who can put a finding right: a text with words in braces that are filled in for each person, sent once.
create table quality_campaign (
  campaign_id    bigint generated always as identity primary key,
  finding        text not null,
  subject        text not null check (length(subject) <= 150),
  body           text not null check (length(body) <= 4000),
  -- Only accounts of this economy, and in this state.
  economy        text,
  account_status text,
  people         integer not null check (people > 0),
  started_by     text not null references login,
  started_at     timestamptz not null,
  finished_at    timestamptz,
  stopped_at     timestamptz,
  -- Of those who were written to, people whose accounts are not in the finding any more, and when that was last counted.
  cured          integer,
  cured_at       timestamptz,
  check (stopped_at is null or finished_at is not null),
  check ((cured is null) = (cured_at is null))
);
create index on quality_campaign (finding, campaign_id desc);
create index on quality_campaign (started_by);
-- Of two people who send at the same time one is refused.
create unique index quality_campaign_sending on quality_campaign (finding) where finished_at is null;
call keep_history('quality_campaign');

-- Contacts that a campaign writes to. One address is written to once, for all its accounts.
create table quality_recipient (
  campaign_id  bigint not null references quality_campaign,
  contact_id   uuid not null references contact,
  account_name text not null references account,
  -- Lower case, as it was when the campaign was sent.
  address      text not null,
  done_at      timestamptz,
  outcome      text check (outcome in ('sent', 'cured', 'failed')),
  primary key (campaign_id, contact_id),
  check ((done_at is null) = (outcome is null))
);
create index quality_recipient_address on quality_recipient (campaign_id, address);
create index on quality_recipient (address);
create index on quality_recipient (contact_id);
create index on quality_recipient (account_name);
call keep_history('quality_recipient', with_copy => false);

create index route_alert_invalid on route_alert (account_name) where validity <> 'not-found';
create index mail_refusal_unreachable on mail_refusal (address) where unreachable_since is not null;
create index irt_contact_silent on irt_contact (irt) where state in ('invalid', 'restricted');
create index invoice_without_address on invoice (account_name) where state in ('issued', 'partly-paid') and cardinality(billing_address) = 0;
-- An address stands for the contacts of several accounts.
create index contact_lower_email on contact (lower(email)) where status = 'active';
