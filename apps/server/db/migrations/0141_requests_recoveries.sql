-- A return that the registry opened to take numbers back from their holder: on which ground, and the first day on which it can be carried out.
alter table resource_request add column recovery_ground text check (recovery_ground in ('unpaid', 'breach', 'fraud', 'unreachable', 'mistake'));
alter table resource_request add column notice_until date;
alter table resource_request add constraint resource_request_recovery check ((recovery_ground is null) = (notice_until is null) and (recovery_ground is null or kind = 'return'));
