import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDnsClient } from './client.ts';

const thrown: unknown[] = [];
const note = (error: unknown): void => void thrown.push(error);
beforeAll(() => void process.on('uncaughtException', note));
afterAll(() => void process.off('uncaughtException', note));

// A link-local address without an interface has no route on any machine, as IPv6 addresses have none in a container without IPv6.
test.each([
  ['UDP', { transport: 'udp' }],
  ['UDP, and answers from any address count', { transport: 'udp', anySource: true }],
  ['TCP', { transport: 'tcp' }],
] as const)('a server to which there may be no route fails the question, and throws nothing: over %s', async (_, how) => {
  const client = openDnsClient();
  const asked = { name: '2.18.198.in-addr.arpa', type: 'SOA' } as const;
  const { message, failure } = await client.query('fe80::1', asked, { ...how, port: 53, timeoutMs: 400 });
  expect(message).toBeUndefined();
  expect(failure?.detail).toMatch(/\S/);
  // What a callback of the socket threw would come now.
  await new Promise(resolve => setImmediate(resolve));
  expect(thrown).toEqual([]);
  await client.close();
});
