-- RDAP searches for entities by the beginnings of their names, in the order of names.

-- The name of a person, role, organisation, irt or mntner in lower case: the value of its first line, of an organisation that of org-name. Read without a
-- regular expression, as thousands of names are compared with a pattern in one search.
create function called_in(class text, object text) returns text language sql immutable parallel safe as
  $$ select lower(btrim(split_part(split_part(case class when 'organisation' then split_part(object, E'\norg-name:', 2)
    else substr(object, strpos(object, ':') + 1) end, E'\n', 1), '#', 1), E' \t')) $$;
create index whois_object_called on whois_object (called_in(class, text) text_pattern_ops) where class in ('person', 'role', 'organisation', 'irt', 'mntner');
