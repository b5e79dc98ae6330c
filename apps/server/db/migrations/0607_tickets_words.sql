-- Parts of words in what a ticket is about, who asked, and for whom.
create index concurrently ticket_words on ticket using gin (subject gin_trgm_ops, requestor_name gin_trgm_ops, tie_text gin_trgm_ops, account_name gin_trgm_ops);
