-- Kinds of documents, elections, events and announcements, who sees or gets them, and as what a vote was cast, are spelled as states are: `all-contacts`, `member-vote`.
do $$
declare
  line bigint;
  old record;
begin
  for old in select conrelid::regclass as of_table, conname from pg_constraint
    where contype = 'c' and pg_get_constraintdef(oid) ~ '''(OTHER|CORPORATE|MEMBER_VOTE|MEMBER|ATTENDEE|CONFERENCE|ONLINE|SERVICE|INFO|RESOURCES|SIG)'''
      and conrelid in ('document'::regclass, 'election'::regclass, 'election_window'::regclass, 'election_vote'::regclass, 'ballot_session'::regclass,
        'event'::regclass, 'event_registration'::regclass, 'announcement'::regclass)
  loop
    execute format('alter table %s drop constraint %I', old.of_table, old.conname);
  end loop;
  alter table document alter type set default 'other', alter visibility set default 'corporate';
  if exists (select from document) or exists (select from election) or exists (select from event) or exists (select from announcement) then
    insert into activity (action, summary, trace_id)
      values ('operator.migrate', 'Spelled kinds as states are spelled', replace(gen_random_uuid()::text, '-', '')) returning activity_id into line;
    perform set_config('portal.activity_id', line::text, true);
    update document set type = lower(type), visibility = lower(replace(visibility, '_', '-'));
    update election set kind = lower(replace(kind, '_', '-'));
    update election_window set kind = lower(replace(kind, '_', '-'));
    update election_vote set cast_as = lower(cast_as);
    update ballot_session set cast_as = lower(cast_as);
    update event set kind = lower(kind), mode = lower(mode);
    update event_registration set part = lower(part);
    update announcement set category = lower(category), severity = lower(severity), audience = lower(audience);
    perform set_config('portal.activity_id', '', true);
  end if;
end $$;
alter table document add constraint document_type check (type in ('agreement', 'certificate', 'tax', 'identity', 'legal', 'correspondence', 'other')),
  add constraint document_visibility check (visibility in ('all-contacts', 'corporate', 'billing'));
alter table election add constraint election_kind check (kind in ('ec', 'nro-nc', 'sig', 'resolution', 'other')),
  add constraint election_of_conference check (kind in ('nro-nc', 'sig', 'other') or (conference is null and registration_cut_off is null));
alter table election_window add constraint election_window_kind check (kind in ('nomination', 'proxy-appoint', 'member-vote', 'proxy-vote', 'attendee-vote'));
alter table election_vote add constraint election_vote_cast_as check (cast_as in ('member', 'proxy'));
alter table ballot_session add constraint ballot_session_cast_as check (cast_as in ('member', 'proxy', 'attendee')),
  add constraint ballot_session_person_check check ((cast_as = 'attendee') = (login_id is not null)),
  add constraint ballot_session_account_check check ((cast_as = 'attendee') = (account_name is null));
alter table event add constraint event_kind check (kind in ('conference', 'workshop', 'tutorial', 'webinar', 'meeting')),
  add constraint event_mode check (mode in ('onsite', 'online', 'hybrid'));
alter table event_registration add constraint event_registration_part check (part in ('onsite', 'online'));
alter table announcement
  add constraint announcement_category check (category in ('service', 'maintenance', 'election', 'fees', 'policy', 'event', 'security')),
  add constraint announcement_severity check (severity in ('info', 'warning', 'critical')),
  add constraint announcement_audience check (audience in ('all', 'members', 'nirs', 'corporate', 'resources')),
  add constraint announcement_affected check ((audience = 'resources') = (cardinality(resources) + cardinality(economies) + cardinality(kinds) > 0));
