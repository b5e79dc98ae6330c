import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';
import { severalLines } from '../several-lines.ts';
import { EventName, EventValues, partNames, StaffEvent } from './event-shapes.ts';
import { eventLife, registrationStates } from './life.ts';
import { eventPermissions } from '../staff-permissions.ts';
import { rowVersion as version } from '../whole-numbers.ts';

/** A registration as registry staff see it. */
export const EventRegistration = z.object({
  registrationId: z.string(),
  fullName: z.string(),
  email: z.string(),
  accountName: z.nullable(z.string()),
  part: z.enum(partNames),
  state: z.enum(registrationStates),
  fee: z.string(),
  registeredAt: z.iso.datetime(),
  attended: z.boolean(),
});
export type EventRegistration = z.infer<typeof EventRegistration>;

/** Events for registry staff. */
export const deskEvents = group('events.desk', {
  listStaffEvents: endpoint({
    method: 'GET',
    path: '/api/staff/events',
    summary: 'Events of any state, the latest first.',
    access: staff(eventPermissions),
    query: z.object({
      offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)), 0),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
    }),
    answer: z.object({ rows: z.array(StaffEvent), total: z.int() }),
  }),
  getStaffEvent: endpoint({
    method: 'GET',
    path: '/api/staff/events/:event',
    summary: 'One event with its numbers.',
    access: staff(eventPermissions),
    answer: StaffEvent,
    errors: ['NOT_FOUND'],
  }),
  listRegistrations: endpoint({
    method: 'GET',
    path: '/api/staff/events/:event/registrations',
    summary: 'Registrations for an event, with names and addresses, the oldest first, those cancelled last.',
    access: staff('private-data'),
    query: z.object({
      offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)), 0),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 50),
    }),
    answer: z.object({ rows: z.array(EventRegistration), total: z.int() }),
    errors: ['NOT_FOUND'],
  }),
  exportAttendance: endpoint({
    method: 'GET',
    path: '/api/staff/events/:event/attendance.csv',
    summary: 'The attendance list as CSV with the columns that its import reads, and names beside them.',
    access: staff('private-data'),
    answer: 'download',
    errors: ['NOT_FOUND'],
  }),
  addEvent: endpoint({
    method: 'POST',
    path: '/api/staff/events',
    summary: 'Create an event; people see it once it is published.',
    access: staff('announcements'),
    effect: 'statements',
    body: z.object({ event: EventName, values: EventValues }),
    answer: StaffEvent,
    errors: ['EVENT_EXISTS'],
    activity: 'Added an event',
  }),
  changeEvent: endpoint({
    method: 'POST',
    path: '/api/staff/events/:event',
    summary: 'Change an event. Where more places are there than before, people on the waiting list get them.',
    access: staff('announcements'),
    effect: 'statements',
    body: z.object({ version, values: EventValues }),
    answer: StaffEvent,
    errors: ['NOT_FOUND', 'STALE', 'EVENT_STATE'],
    activity: 'Changed an event',
  }),
  publishEvent: endpoint({
    method: 'POST',
    path: '/api/staff/events/:event/publish',
    summary: 'Show an event to everyone, in the portal and in the calendar feed.',
    access: staff('announcements'),
    effect: 'statements',
    moves: eventLife.publish,
    body: z.object({ version }),
    answer: StaffEvent,
    errors: ['NOT_FOUND', 'STALE', 'EVENT_STATE'],
    activity: 'Published an event',
  }),
  cancelEvent: endpoint({
    method: 'POST',
    path: '/api/staff/events/:event/cancel',
    summary: 'Cancel an event. Everyone who is registered gets an e-mail.',
    access: staff('announcements'),
    effect: 'statements',
    moves: eventLife.cancel,
    body: z.object({ version, reason: severalLines(500, 3) }),
    answer: StaffEvent,
    errors: ['NOT_FOUND', 'STALE', 'EVENT_STATE'],
    activity: 'Cancelled an event',
  }),
});
