-- One name space of handles: what names a contact, an organisation, a maintainer, an irt or a key names one object, whatever its class.

-- Objects that shared their handle with an older one when this rule came. They stay until one of the two is deleted; registry staff see them.
alter table whois_object add column handle_shared boolean not null default false;
alter table whois_object disable trigger user;
update whois_object o set handle_shared = true
  where class in ('person', 'role', 'organisation', 'mntner', 'irt', 'key-cert') and exists (select from whois_object older
    where older.key = o.key and older.class in ('person', 'role', 'organisation', 'mntner', 'irt', 'key-cert') and older.object_id < o.object_id);
alter table whois_object enable trigger user;
create unique index whois_object_one_handle on whois_object (key)
  where class in ('person', 'role', 'organisation', 'mntner', 'irt', 'key-cert') and not handle_shared;
create index whois_object_handle_shared on whois_object (key) where handle_shared;
