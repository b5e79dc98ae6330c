-- Made by its whois object, and not in the register: it goes when that object is deleted. Whoever edits it in the register makes it its own.
alter table assignment add column from_whois boolean not null default false;
