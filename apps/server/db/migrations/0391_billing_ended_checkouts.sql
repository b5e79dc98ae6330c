-- Online payments whose invoice ended, or of which another amount is due, are ended at the provider too. Expands.
-- When the provider ends it, as it says; none before it is open there.
alter table checkout add column expires_at timestamptz;
-- When it was known that the provider takes no more money for it: its own report, or its answer to the registry.
alter table checkout add column provider_ended_at timestamptz;
create index checkout_to_end on checkout (started_at) where provider_ended_at is null;

alter table provider_report drop constraint provider_report_kind_check;
alter table provider_report add constraint provider_report_kind_check
  check (kind in ('refunded', 'disputed', 'dispute-won', 'dispute-lost', 'wrong-currency', 'unknown-checkout', 'ended-checkout'));
