import dgram from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { addressLookup } from './address-lookup.ts';

const [A, AAAA] = [1, 28];

/** A name server that answers with these addresses by type, or not at all where there are none. */
async function nameServer(addresses: Record<number, number[][]>, { isSilent = false } = {}) {
  let questions = 0;
  const socket = dgram.createSocket('udp4', (message, from) => {
    questions++;
    if (isSilent) return;
    let end = 12;
    while (message[end] !== 0) end += message[end]! + 1;
    const type = message.readUInt16BE(end + 1);
    const question = message.subarray(12, end + 5);
    const found = addresses[type] ?? [];
    const header = Buffer.from([message[0]!, message[1]!, 0x81, 0x80, 0, 1, 0, found.length, 0, 0, 0, 0]);
    const records = found.map(bytes => Buffer.from([0xc0, 12, type >> 8, type & 255, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]));
    socket.send(Buffer.concat([header, question, ...records]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    server: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    questions: () => questions,
    [Symbol.asyncDispose]: () => new Promise<void>(closed => socket.close(() => closed())),
  };
}
const soon = () => AbortSignal.timeout(10_000);

test('a host has the addresses of both families, IPv4 first', async () => {
  await using both = await nameServer({ [A]: [[192, 0, 2, 1]], [AAAA]: [[0x20, 0x01, 0x0d, 0xb8, ...Array<number>(11).fill(0), 1]] });
  expect(await addressLookup([both.server])('hooks.example.net', soon())).toEqual([
    { address: '192.0.2.1', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ]);
  await using one = await nameServer({ [A]: [[192, 0, 2, 1]] });
  expect(await addressLookup([one.server])('hooks.example.net', soon())).toEqual([{ address: '192.0.2.1', family: 4 }]);
  await using none = await nameServer({});
  await expect(addressLookup([none.server])('hooks.example.net', soon())).rejects.toMatchObject({ code: 'ENODATA' });
});

test('silent name servers hold up no other lookup of this process, and a lookup ends when it is given up', async () => {
  await using silent = await nameServer({}, { isSilent: true });
  const givenUp = new AbortController();
  const waiting = Array.from({ length: 16 }, (_, number) =>
    addressLookup([silent.server])(`hooks-${number}.example.net`, givenUp.signal).then(
      () => 'found',
      (error: Error) => error.name,
    ),
  );
  await expect.poll(() => silent.questions()).toBeGreaterThanOrEqual(32);
  // The system's lookup, which has few threads.
  expect((await lookup('localhost')).address).toMatch(/^(?:127\.0\.0\.1|::1)$/);
  givenUp.abort();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['AbortError']));
  await expect(addressLookup([silent.server])('hooks.example.net', givenUp.signal)).rejects.toThrow('aborted');
});
