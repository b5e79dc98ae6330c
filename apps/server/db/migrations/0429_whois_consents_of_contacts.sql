-- Which consents a contact was asked for or decided, for copies of their data.
-- Few rows: whois_consent.
create index whois_consent_contact on whois_consent (contact_id);
create index whois_consent_decided on whois_consent (decided_by) where decided_by is not null;
