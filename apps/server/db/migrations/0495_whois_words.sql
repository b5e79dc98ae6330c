-- The words by which anyone finds a public object (`query/word-search.ts`): its names, descriptions and remarks, and of each facet `:t=` type, `:c=` country, `:s=` status and `:m=` maintainer. Only attributes that are published everywhere and
-- name no one (a test compares them with the list of the rpsl package), and of these nothing that looks like an e-mail address or a telephone number. Read line by line, because regular expressions over a whole text cost four times as much. Not safe in parallel: a search reads a few hundred objects, and
-- starting workers for them takes longer than reading.
create function whois_words(class text, key text, object text) returns tsvector language sql immutable cost 2000 as $$
  select to_tsvector('pg_catalog.simple'::regconfig, case when class in ('inetnum', 'inet6num', 'route', 'route6') then '' else key || ' ' end || coalesce(
      regexp_replace(string_agg(value, ' ') filter (where name in ('netname', 'as-name', 'org-name', 'org', 'descr', 'remarks', 'origin', 'nserver', 'member-of')),
        '\S*@\S*|\+?\(?[0-9][0-9 ()/.-]{5,}[0-9]', ' ', 'g'), ''))
    || array_to_tsvector(array[':t=' || class] || coalesce(string_to_array(string_agg(':' || left(name, 1) || '=' || case name
        when 'mnt-by' then replace(translate(left(value, 1000), E' \t\r', ''), ',', ',:m=') else left(btrim(value, E' \t\r'), 40) end, ',')
        filter (where name in ('country', 'status', 'mnt-by')), ','), '{}'))
  from (select rtrim(split_part(line, ':', 1)) as name, split_part(substr(line, strpos(line, ':') + 1), '#', 1) as value
    from string_to_table(lower(left(object, 20000)), E'\n') line) attribute $$;
