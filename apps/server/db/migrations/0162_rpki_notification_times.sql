-- Relying parties poll the notification with If-Modified-Since, which counts in seconds: each serial has a second of its own, also where several are published
-- in one. Serials from before count by their publication.
alter table rrdp_session add column modified_at timestamptz not null default '1970-01-01T00:00:00Z';
alter table rrdp_session alter column modified_at drop default;
