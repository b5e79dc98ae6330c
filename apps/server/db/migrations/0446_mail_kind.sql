create index concurrently mail_kind on mail (kind, written_at);
