import * as z from 'zod/mini';
import { calendarDay } from '../calendar-day.ts';
import { endpoint, group, staff } from '../endpoint.ts';
import { severalLines } from '../several-lines.ts';

export const EventSpaceList = z.object({
  /** Delegations for events, the soonest last day first. */
  rows: z.array(
    z.object({
      delegationId: z.string(),
      resource: z.string(),
      /** The last day. */
      endsOn: z.iso.date(),
      over: z.boolean(),
      /** The open return of it, or null. One of space whose last day is over was opened by the registry. */
      openReturn: z.nullable(z.object({ requestId: z.string(), reference: z.string() })),
    }),
  ),
  /** The earliest and latest last day that can be set. */
  earliest: z.iso.date(),
  latest: z.iso.date(),
});
export type EventSpaceList = z.infer<typeof EventSpaceList>;

export const eventSpace = group('requests.eventSpace', {
  listEventSpace: endpoint({
    method: 'GET',
    path: '/api/staff/accounts/:accountName/event-space',
    summary: 'What an account holds for events, with its last days, for registry staff.',
    access: staff(['resources', 'ledger']),
    answer: EventSpaceList,
    errors: ['NOT_FOUND'],
  }),
  extendEventSpace: endpoint({
    method: 'POST',
    path: '/api/staff/event-space/:delegationId/extension',
    summary:
      'Set a later last day of space for an event, with the reason. A return that the registry opened because the event was over is rejected in the same change.',
    access: staff('resources'),
    effect: 'holding',
    body: z.object({
      /** The last day that was read: when it changed meanwhile, the answer is 412 STALE. */
      endsOn: calendarDay(),
      until: calendarDay(),
      reason: severalLines(1000, 1),
    }),
    answer: EventSpaceList,
    errors: ['NOT_FOUND', 'OWN_REQUEST', 'STALE'],
    activity: 'Set a later last day of space for an event',
  }),
});
