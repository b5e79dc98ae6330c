-- Which conversation a mail belongs to, such as `ticket-20001`: an answer by e-mail finds the way back to it.
alter table mail add column thread text check (thread ~ '^[a-z]{1,20}-\d{1,15}$');
