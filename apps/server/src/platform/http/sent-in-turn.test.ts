import type { Download } from '@portal/contract';
import { expect, test } from 'vitest';
import { callTurns } from './call-turns.ts';
import type { Admitted } from './caller.ts';
import { sentInTurn } from './sent-in-turn.ts';

/** Connections that a process has for reads, and what happens with them. */
function connections() {
  const count = { taken: 0, most: 0, returned: 0 };
  /** A file of five parts of a megabyte, for which a connection is kept until it is made or given up. */
  async function* made(): AsyncGenerator<Uint8Array> {
    count.most = Math.max(count.most, ++count.taken);
    try {
      for (let part = 0; part < 5; part++) {
        await new Promise(resolve => setImmediate(resolve));
        yield Buffer.alloc(1024 * 1024, part);
      }
    } finally {
      count.taken--;
      count.returned++;
    }
  }
  return { count, made };
}

const of = (loginId: string): Admitted => ({ caller: { loginId, amr: [], sid: loginId } }) as unknown as Admitted;
const file = (chunks: Download['chunks'], more: Partial<Download> = {}): Download => ({
  fileName: 'a.csv',
  contentType: 'text/csv',
  chunks,
  ...more,
});
const begin = (download: Download): AsyncIterator<string | Uint8Array> => download.chunks[Symbol.asyncIterator]();

test('readers who never take more than the first part keep no connection, however many they are', async () => {
  const { count, made } = connections();
  const turns = callTurns();
  const readers = Array.from({ length: 40 }, (_, number) => begin(sentInTurn(file(made()), turns, of(`person ${number % 20}`))));
  await Promise.all(readers.map(reader => reader.next()));
  await expect.poll(() => count.returned).toBe(40);
  expect(count.taken).toBe(0);
  expect(count.most).toBeLessThanOrEqual(2);
  let bytes = 0;
  for (let part = await readers[0]!.next(); !part.done; part = await readers[0]!.next()) bytes += part.value.length;
  expect(bytes).toBe(4 * 1024 * 1024);
  for (const reader of readers) await reader.return?.();
});

test('a reader who goes away ends the making, and gives the turn to the next download of the same person', async () => {
  const { count, made } = connections();
  const turns = callTurns();
  const readers = Array.from({ length: 5 }, () => begin(sentInTurn(file(made()), turns, of('one person'))));
  await Promise.all(readers.slice(0, 4).map(reader => reader.next()));
  const fifth = readers[4]!.next();
  await expect(Promise.race([fifth.then(() => 'begun'), new Promise(resolve => setImmediate(() => resolve('waits')))])).resolves.toBe(
    'waits',
  );
  await readers[0]!.return?.();
  expect((await fifth).done).toBe(false);
  for (const reader of readers) await reader.return?.();
  await expect.poll(() => count.returned).toBe(5);
});

test('a failure before the first part is the answer, and a kept file is read as its reader takes it', async () => {
  const turns = callTurns();
  const failing: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no such month')) }),
  };
  await expect(begin(sentInTurn(file(failing), turns, of('a'))).next()).rejects.toThrow('no such month');
  const { count, made } = connections();
  const kept = begin(sentInTurn(file(made(), { bytes: 5 * 1024 * 1024 }), turns, of('a')));
  await kept.next();
  for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve));
  expect(count).toMatchObject({ taken: 1, returned: 0 });
  await kept.return?.();
  expect(count.returned).toBe(1);
});
