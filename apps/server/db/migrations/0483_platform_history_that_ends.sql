create index concurrently row_change_ending on row_change (table_name, (coalesce(after, before) ->> forgotten_by(table_name))) where forgotten_by(table_name) is not null;
