-- Which references are those of irts to their maintainers: a maintainer of thousands of objects has an irt or two, and finding them mustn't read all of its objects.
alter table whois_reference add column of_irt boolean not null default false;

create function mark_irt_maintainer() returns trigger language plpgsql as $$
begin
  new.of_irt := exists (select from whois_object where object_id = new.object_id and class = 'irt');
  return new;
end $$;

-- The release before writes references without the mark.
create trigger b_mark_irt_maintainer before insert on whois_reference for each row when (new.attribute = 'mnt-by') execute function mark_irt_maintainer();

do $$
declare line bigint;
begin
  if exists (select from whois_object where class = 'irt') then
    insert into activity (action, summary, trace_id)
      values ('operator.migrate', 'Marked the maintainers of irts', replace(gen_random_uuid()::text, '-', '')) returning activity_id into line;
    perform set_config('portal.activity_id', line::text, true);
    update whois_reference r set of_irt = true from whois_object o where o.object_id = r.object_id and o.class = 'irt' and r.attribute = 'mnt-by';
    perform set_config('portal.activity_id', '', true);
  end if;
end $$;
