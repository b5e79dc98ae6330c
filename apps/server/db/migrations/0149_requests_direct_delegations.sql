-- A delegation that the registry opened itself, without a request of the account: it is approved by two people, and the account can decline it.
alter table resource_request add column direct boolean not null default false;
alter table resource_request add constraint resource_request_direct check (not direct or kind in ('ipv4', 'ipv6', 'asn'));
-- An account has one open request of each kind; a delegation that it didn't ask for doesn't keep it from its own.
drop index resource_request_one_open;
create unique index resource_request_one_open on resource_request (account_name, kind, coalesce(subaccount_id, 0))
  where resolved_at is null and not direct and kind in ('ipv4', 'ipv6', 'asn', 'pre-approval');
