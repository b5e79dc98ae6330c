import { dayIn } from '@portal/contract/days';
import { eventCertificates } from '@portal/contract/events/certificates';
import { deskEvents } from '@portal/contract/events/desk';
import { events } from '@portal/contract/events/events';
import type { Config } from '../../config.ts';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import type { Profile } from '../../profile.ts';
import { listAttendedEvents } from './attended.ts';
import { decideCertificate, listAccountCertificates, openEventCertificate, requestCertificate } from './certificates.ts';
import { addEvent, cancelEvent, changeEvent, exportAttendance, listRegistrations, listStaffEvents, publishEvent } from './desk-events.ts';
import { readEvent } from './event-row.ts';
import { cancelRegistration, registerForEvent } from './registrations.ts';
import { listUpcomingEvents } from './upcoming.ts';

export const eventRoutes = ({
  clock,
  config,
  profile,
}: {
  clock: () => Date;
  config: Config;
  profile: Pick<Profile, 'timeZone'>;
}): Implementation[] => [
  implement(events, {
    listUpcomingEvents: ({ read, caller, query }) =>
      listUpcomingEvents(read, caller, query.account ?? null, { now: clock(), calendarUrl: config.eventsCalendarUrl }),
    listAttendedEvents: ({ read, caller }) => listAttendedEvents(read, caller.loginId, dayIn(profile.timeZone, clock()), clock()),
    registerForEvent: ({ change, caller, params, body }) => registerForEvent(change, caller, params.event, body),
    cancelRegistration: ({ change, caller, params }) => cancelRegistration(change, caller, params.event),
    requestCertificate: ({ change, caller, params, body }) => requestCertificate(change, caller, params.event, body),
    openEventCertificate: ({ change, caller, params }) => openEventCertificate(change, config, caller, params.code),
  }),
  implement(eventCertificates, {
    listAccountCertificates: ({ read, account }) => listAccountCertificates(read, account),
    decideCertificate: ({ change, account, params, body }) => decideCertificate(change, account, params.code, body),
  }),
  implement(deskEvents, {
    listStaffEvents: ({ read, query }) => listStaffEvents(read, query),
    getStaffEvent: ({ read, params }) => readEvent(read, params.event),
    listRegistrations: ({ read, params, query }) => listRegistrations(read, params.event, query),
    exportAttendance: ({ read, params }) => exportAttendance(read, params.event),
    addEvent: ({ change, body }) => addEvent(change, body),
    changeEvent: ({ change, params, body }) => changeEvent(change, params.event, body),
    publishEvent: ({ change, params, body }) => publishEvent(change, params.event, body.version),
    cancelEvent: ({ change, params, body }) => cancelEvent(change, params.event, body),
  }),
];
