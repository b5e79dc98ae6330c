-- What waits for a second person, in words that also read rightly once it is decided, and the page where it is decided. Null for those proposed before.

alter table proposal
  add column title text check (title <> ''),
  add column link  text check (link like '/%');
