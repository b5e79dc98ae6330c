-- A mail can carry one document, such as the invoice it is about. Its module hands it over when the mail is sent, so that no copy is kept with the mail.
alter table mail add column attaches text check (attaches ~ '^[a-z-]+:[A-Za-z0-9-]+$');
