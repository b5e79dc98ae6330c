-- What the first page of the desk asks each time it is opened, of tables that grow.
create index resource_request_open on resource_request (submitted_at) where resolved_at is null and submitted_at is not null;
create index resource_request_submitted on resource_request (submitted_at) include (kind) where submitted_at is not null;
create index delegation_delegated_on on delegation (delegated_on) include (kind, size) where registry = '' and source = 'delegated';
create index invoice_due_on on invoice (due_on);
create index payment_received_on on payment (received_on);
create index whois_journal_happened on whois_journal using brin (happened_at);
create index account_by_status on account (account_status);
