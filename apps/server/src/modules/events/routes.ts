import { eventCertificates } from '@portal/contract/events/certificates';
import { deskEvents } from '@portal/contract/events/desk';
import { events } from '@portal/contract/events/events';
import type { Config } from '../../config.ts';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { listAttendedEvents } from './attended.ts';
import { decideCertificate, listAccountCertificates, openEventCertificate, requestCertificate } from './certificates.ts';
import { addEvent, cancelEvent, changeEvent, exportAttendance, listRegistrations, listStaffEvents, publishEvent } from './desk-events.ts';
import { readEvent } from './event-row.ts';
import { cancelRegistration, registerForEvent } from './registrations.ts';
import { listUpcomingEvents } from './upcoming.ts';

export const eventRoutes = ({ clock, config }: { clock: () => Date; config: Config }): Implementation[] => [
  implement(events, {
    listUpcomingEvents: ({ read, caller, query }) =>
      listUpcomingEvents(read, caller, query.account ?? null, { now: clock(), calendarUrl: config.eventsCalendarUrl }),
    listAttendedEvents,
    registerForEvent,
    cancelRegistration,
    requestCertificate,
    openEventCertificate,
  }),
  implement(eventCertificates, {
    listAccountCertificates,
    decideCertificate,
  }),
  implement(deskEvents, {
    listStaffEvents,
    getStaffEvent: ({ read, params }) => readEvent(read, params.event),
    listRegistrations,
    exportAttendance,
    addEvent,
    changeEvent,
    publishEvent,
    cancelEvent,
  }),
];
