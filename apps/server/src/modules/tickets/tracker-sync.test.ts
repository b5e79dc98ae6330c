import { api } from '@portal/contract/api';
import { expect, test } from 'vitest';
import { failMailsTo } from '../../../test/failing-mails.ts';
import { testContext } from '../../../test/context.ts';
import { testPortal } from '../../../test/portal.ts';
import { RowsFailed } from '../../platform/each-alone.ts';
import { standIn } from '../../platform/outside-systems.ts';
import { type Tracker, tracker as trackerSystem, type TrackerMessage, type TrackerTicket } from './tracker.ts';
import { workWithTracker } from './tracker-sync.ts';

/** Request Tracker as far as these tests need it: it refuses one ticket, and has answers for others. */
function fakeTracker(refusedSubject: string): Tracker & { tickets: TrackerTicket[]; answers: Map<number, TrackerMessage[]> } {
  const tickets: TrackerTicket[] = [];
  const answers = new Map<number, TrackerMessage[]>();
  return {
    tickets,
    answers,
    find: async () => null,
    create: async ({ queue, subject, requestor }) => {
      if (subject === refusedSubject) throw new Error('its subject is wrong');
      const trackerId = tickets.length + 1;
      tickets.push({ trackerId, queue, subject, state: 'open', requestors: [requestor], cc: [], updatedAt: '2026-11-20T12:00:00.000Z' });
      return trackerId;
    },
    write: async () => {},
    setState: async () => {},
    changedSince: async () => tickets,
    read: async trackerId => tickets.find(each => each.trackerId === trackerId)!,
    messagesAfter: async (trackerId, transactionId) => {
      const messages = (answers.get(trackerId) ?? []).filter(each => each.transactionId > transactionId);
      return { messages, last: messages.at(-1)?.transactionId ?? transactionId };
    },
    has: async () => false,
  };
}

test('a ticket that can’t be passed on, or whose answer can’t be taken in, stops no other one in either direction', async () => {
  await using portal = await testPortal();
  const tracker = fakeTracker('Refused');
  const context = testContext(portal, standIn(trackerSystem, tracker));
  const corin = await portal.as('corin');
  const open = async (who: typeof corin, subject: string, account = 'EXAMPLE-AU'): Promise<string> =>
    (await who(api.tickets.openTicket, { body: { queue: 'helpdesk', account, subject, text: 'We see two debits.' } })).data!.ticketId;
  await open(corin, 'Refused');
  await open(await portal.as('olive'), 'Of Olive', 'OTHER-SG');
  const answered = await open(corin, 'Of Corin');
  const failure = async () => workWithTracker(context, null).catch((error: unknown) => error as RowsFailed);

  const [first] = (((await failure()) as RowsFailed).failures ?? []).map(({ error }) => (error as Error).message);
  expect(first).toBe('its subject is wrong');
  const passed = tracker.tickets.map(({ subject }) => subject);
  expect(passed).toEqual(expect.arrayContaining(['Of Olive', 'Of Corin']));

  // Both are answered there; what is taken in for Olive fails here.
  for (const { trackerId } of tracker.tickets)
    tracker.answers.set(trackerId, [
      { transactionId: 100 + trackerId, by: 'staff', at: '2026-11-20T12:00:00Z', text: 'Which bank?', html: '', files: [] },
    ]);
  await failMailsTo(portal.db, 'olive@other-sg.example');
  const olives = tracker.tickets.find(({ subject }) => subject === 'Of Olive')!;
  expect(await failure()).toMatchObject({
    failures: [
      { row: expect.stringMatching(/^ticket \d+$/) },
      { row: `ticket ${olives.trackerId} of Request Tracker`, error: { message: expect.stringContaining('no mail') } },
    ],
    noted: { until: expect.any(String) },
  });
  const { messages } = (await corin(api.tickets.getTicket, { ticketId: answered })).data!;
  expect(messages.map(({ text }) => text)).toContain('Which bank?');
});
