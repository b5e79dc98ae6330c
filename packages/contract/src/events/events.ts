import * as z from 'zod/mini';
import { FileAddress } from '../documents/documents.ts';
import { endpoint, group, signedIn } from '../endpoint.ts';
import { AttendedEvent, OutsideEvent, partNames, UpcomingEvent } from './event-shapes.ts';
import { registrationLife } from './life.ts';

/** Events for the signed-in person: what is ahead, what they attended, and registering. */
export const events = group('events', {
  listUpcomingEvents: endpoint({
    method: 'GET',
    path: '/api/events/upcoming',
    summary: 'Events that are not over, the next first, with the registration of the caller; and those of the outside calendar.',
    access: signedIn,
    query: z.object({ account: z.optional(z.string()) }),
    answer: z.object({
      rows: z.array(UpcomingEvent),
      /** Events of the calendar at EVENTS_CALENDAR_URL; registration is elsewhere. */
      outside: z.array(OutsideEvent),
      /** The address of that calendar; null for none. */
      calendarUrl: z.nullable(z.string()),
    }),
    errors: ['ACCOUNT_NOT_FOUND', 'SECOND_FACTOR_DEMANDED'],
  }),
  listAttendedEvents: endpoint({
    method: 'GET',
    path: '/api/events/attended',
    summary: 'Past events that the caller registered for or attended, the newest first, with certificates of attendance.',
    access: signedIn,
    answer: z.object({ rows: z.array(AttendedEvent) }),
  }),
  registerForEvent: endpoint({
    method: 'POST',
    path: '/api/events/:event/registration',
    summary: 'Register for an event, for an account or for oneself. Without a free place on site the person is put on the waiting list.',
    access: signedIn,
    effect: 'own settings',
    body: z.object({ part: z.enum(partNames), account: z.nullable(z.string()) }),
    answer: UpcomingEvent,
    errors: ['NOT_FOUND', 'ACCOUNT_NOT_FOUND', 'SECOND_FACTOR_DEMANDED', 'REGISTRATION_CLOSED', 'ALREADY_REGISTERED', 'TOO_MANY_REQUESTS'],
    activity: 'Registered for an event',
  }),
  cancelRegistration: endpoint({
    method: 'POST',
    path: '/api/events/:event/registration/cancel',
    summary: 'Cancel one’s registration. The next person on the waiting list gets the place.',
    access: signedIn,
    effect: 'own settings',
    moves: registrationLife.cancel,
    answer: UpcomingEvent,
    errors: ['NOT_FOUND', 'EVENT_STATE', 'NOT_REGISTERED'],
    activity: 'Cancelled a registration for an event',
  }),
  requestCertificate: endpoint({
    method: 'POST',
    path: '/api/events/:event/certificate',
    summary:
      'Ask for a certificate of attendance: one’s own is issued immediately; one that names an account waits for a contact who may approve it.',
    access: signedIn,
    effect: 'own settings',
    body: z.object({ account: z.nullable(z.string()) }),
    answer: AttendedEvent,
    errors: ['NOT_FOUND', 'ACCOUNT_NOT_FOUND', 'SECOND_FACTOR_DEMANDED', 'NOT_ATTENDED'],
    activity: 'Requested a certificate of attendance',
  }),
  openEventCertificate: endpoint({
    method: 'POST',
    path: '/api/events/certificates/:code/open',
    summary: 'An address for a minute of a certificate of the caller, as a PDF.',
    access: signedIn,
    effect: 'reading',
    answer: FileAddress,
    errors: ['NOT_FOUND'],
    activity: 'Opened a certificate of attendance',
  }),
});
