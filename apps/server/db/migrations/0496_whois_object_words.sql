create index concurrently whois_object_words on whois_object using gin (whois_words(class, key, text)) with (gin_pending_list_limit = 512) where class not in ('person', 'role', 'key-cert');
