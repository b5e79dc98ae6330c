create index concurrently row_change_erasing on row_change (table_name, (coalesce(after, before) ->> erased_by(table_name))) where erased_by(table_name) is not null;
