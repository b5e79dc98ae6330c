-- A trust anchor of its own for space without a holder: what could be delegated is published with AS0, so that no one can announce it.
alter table rpki_ca drop constraint rpki_ca_kind_check;
alter table rpki_ca add constraint rpki_ca_kind_check check (kind in ('trust-anchor', 'registry', 'member', 'identity', 'as0'));

-- What leaves the pools leaves its ROAs with the publication that certifies it: both notes are of one transaction.
create function note_rpki_due_as0() returns trigger language plpgsql as $$
begin
  insert into rpki_due (account_name) select '' where exists (select from touched where registry = '' and kind <> 'asn')
    and exists (select from rpki_ca where kind = 'as0' and state = 'active');
  if found then perform pg_notify('rpki', ''); end if;
  return null;
end $$;
create trigger rpki_due_pool_inserted after insert on pool referencing new table as touched for each statement execute function note_rpki_due_as0();
create trigger rpki_due_pool_updated after update on pool referencing new table as touched for each statement execute function note_rpki_due_as0();
create trigger rpki_due_pool_left after update on pool referencing old table as touched for each statement execute function note_rpki_due_as0();
create trigger rpki_due_pool_deleted after delete on pool referencing old table as touched for each statement execute function note_rpki_due_as0();
