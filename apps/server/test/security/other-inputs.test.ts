import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchCalendar, largestCalendar } from '../../src/adapters/events-calendar.ts';
import { largestCheckoutEvent } from '../../src/modules/billing/payments/checkout-events.ts';
import { checkStructure, maxZipEntries } from '../../src/modules/documents/file-kind.ts';
import { followCalendar } from '../../src/modules/events/outside-calendar.ts';
import { type TestPortal, testPortal } from '../portal.ts';
import { sampleDocx } from '../sample-files.ts';
import { longestTurnOf } from '../thread-costs.ts';

/** The longest, in ms of processor time, for which one of these holds up everything else. */
const MAX_MS = 5;

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal(undefined, { STRIPE_KEY: 'sk_test_example', STRIPE_WEBHOOK_SECRET: 'whsec_example' });
});
afterAll(() => portal[Symbol.asyncDispose]());

/** A calendar of its largest size: so many events that none is longer than is kept, with letters of several bytes, and others each time. */
const calendar = (round: number): Buffer => {
  const event = (n: number): string =>
    `BEGIN:VEVENT\r\nUID:${n}\r\nDTSTART:20990301T000000Z\r\nSUMMARY:Round ${round}\r\nDESCRIPTION:${'表'.repeat(3_300)}\r\nEND:VEVENT\r\n`;
  const count = Math.floor((largestCalendar - 100) / Buffer.byteLength(event(1_000)));
  return Buffer.from(`BEGIN:VCALENDAR\r\n${Array.from({ length: count }, (_, n) => event(n)).join('')}END:VCALENDAR\r\n`);
};

test('the largest calendar of events is read and stored while everything else goes on', async () => {
  const both = [calendar(0), calendar(1)];
  let content = both[0]!;
  const server = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/calendar' }).end(content));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    const follow = () => followCalendar(portal.db, { read: () => fetchCalendar(address) }, new Date());
    await follow();
    const longest = await longestTurnOf(MAX_MS, {
      before: () => {
        content = both[Number(content === both[0])]!;
        return Promise.resolve();
      },
      work: follow,
    });
    expect(longest).toBeLessThan(MAX_MS);
  } finally {
    server.close();
  }
});

test.each([
  ['that is no UTF-8', Buffer.alloc(largestCheckoutEvent, 0xff)],
  ['with letters of several bytes', Buffer.from('表'.repeat(Math.floor(largestCheckoutEvent / 3)))],
  ['of values', Buffer.from(`[${'{},'.repeat(Math.floor(largestCheckoutEvent / 3) - 2)}{}]`)],
])('an event about a payment %s, as large as it may be, holds up nothing', async (_, body) => {
  const send = () =>
    portal.http.inject({
      method: 'POST',
      url: '/checkout-events/stripe',
      headers: {
        host: 'portal.test',
        'content-type': 'application/json',
        'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'a'.repeat(64)}`,
      },
      payload: body,
    });
  const longest = await longestTurnOf(MAX_MS, async () => expect((await send()).statusCode).toBe(400));
  expect(longest).toBeLessThan(MAX_MS);
});

test.each([
  ['packed', 'x'.repeat(10)],
  ['empty', ''],
])('a ZIP of as many %s entries as it may have is judged piece by piece', async (_, content) => {
  const parts = Array.from({ length: maxZipEntries - 2 }, (_part, n) => [`word/media/${String(n).padStart(300, 'a')}.png`, content]);
  const file = sampleDocx(Object.fromEntries(parts));
  const pieces = {
    bytes: file.length,
    at: async (offset: number, length: number) => file.subarray(Math.max(0, offset), Math.max(0, offset) + length),
  };
  const longest = await longestTurnOf(MAX_MS, async () => expect(await checkStructure('docx', pieces)).toBe('docx'));
  expect(longest).toBeLessThan(MAX_MS);
});
