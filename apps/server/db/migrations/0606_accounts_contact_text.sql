-- The contact of a line of the log, which names it in text: without this each page that says who did something read all contacts.
create index concurrently contact_text on contact ((contact_id::text));
