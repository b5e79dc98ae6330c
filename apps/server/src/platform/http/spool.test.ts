import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import os from 'node:os';
import { expect, test } from 'vitest';
import { Spool } from './spool.ts';

const MB = 1024 * 1024;
const sum = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const namedFiles = (): string[] => readdirSync(os.tmpdir()).filter(name => name.startsWith('portal-download-'));

test('what was added comes back in its order, however the reader takes it and however much of it lies in the file', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ size: fc.nat(700_000), byte: fc.nat(255), reads: fc.nat(4) }), { maxLength: 12 }),
      async steps => {
        const spool = new Spool();
        const reader = spool.read();
        const taken: Uint8Array[] = [];
        const parts = steps.map(({ size, byte }) => Buffer.alloc(size, byte));
        let missing = 0;
        for (const [at, { reads }] of steps.entries()) {
          await spool.add(parts[at]!);
          missing += parts[at]!.length;
          for (let read = 0; read < reads && missing > 0; read++) {
            const part = await reader.next();
            taken.push(part.value!);
            missing -= part.value!.length;
          }
        }
        spool.end();
        for await (const part of reader) taken.push(part);
        expect(sum(Buffer.concat(taken))).toBe(sum(Buffer.concat(parts)));
      },
    ),
    { numRuns: 30 },
  );
});

test('who makes it never waits for the reader, and its file has no name', async () => {
  const spool = new Spool();
  for (let part = 0; part < 20; part++) await spool.add(Buffer.alloc(MB, part));
  spool.end();
  expect(namedFiles()).toEqual([]);
  let bytes = 0;
  for await (const part of spool.read()) {
    bytes += part.length;
    expect(part.length).toBeLessThanOrEqual(MB);
  }
  expect(bytes).toBe(20 * MB);
});

test('a failure comes after what was made before it, and a reader who goes away ends it', async () => {
  const failing = new Spool();
  const reader = failing.read();
  await failing.add('made');
  failing.end({ error: new Error('the database is gone') });
  expect(String((await reader.next()).value)).toBe('made');
  await expect(reader.next()).rejects.toThrow('the database is gone');

  const left = new Spool();
  await left.add(Buffer.alloc(2 * MB));
  const away = left.read();
  await away.next();
  expect(left.isDropped).toBe(false);
  await away.return();
  expect(left.isDropped).toBe(true);
  await left.add('for no one');
  left.end();
  expect((await left.read().next()).done).toBe(true);
});
