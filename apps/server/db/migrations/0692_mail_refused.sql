-- Whether mail to an address came back since.
create index concurrently mail_refused on mail (recipient, written_at) where refused_at is not null;
