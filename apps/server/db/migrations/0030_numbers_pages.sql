-- What the registry's public page of figures shows for a day, counted from the ledger on that day and kept as it was.
create table registry_figures (
  -- In the time zone of the registry.
  day     date primary key,
  figures jsonb not null,
  made_at timestamptz not null
);
create function keep_registry_figures() returns trigger language plpgsql as $$
begin
  raise exception 'Figures of a day stay as they were counted';
end $$;
create trigger registry_figures_stay before update on registry_figures for each row execute function keep_registry_figures();
call keep_history('registry_figures');
