-- Since when a contact is a corporate one: also one who was promoted, or accepted an invitation. Alone in its file: changes wait while the index is made.
create index row_change_corporate on row_change ((after ->> 'contact_id'))
  where table_name = 'contact' and after -> 'contact_types' @> '["corporate"]' and after ->> 'status' = 'active'
    and (before is null or not before -> 'contact_types' @> '["corporate"]' or before ->> 'status' <> 'active');
