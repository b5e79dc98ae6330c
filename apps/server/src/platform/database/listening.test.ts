import { EventEmitter } from 'node:events';
import type { Client } from 'pg';
import { expect, test } from 'vitest';
import { listenThrough } from './listening.ts';

/** A connection that answers a turn later and counts how many statements it holds at a time. */
class CountingConnection extends EventEmitter {
  statements: string[] = [];
  atATime = 0;
  most = 0;
  async query(statement: string): Promise<void> {
    this.statements.push(statement);
    this.most = Math.max(this.most, ++this.atATime);
    await new Promise(resolve => setImmediate(resolve));
    this.atATime--;
  }
  async end(): Promise<void> {}
}

test('modules that start and stop listening concurrently send one statement at a time', async () => {
  const connection = new CountingConnection();
  const listening = listenThrough(
    async () => connection as unknown as Client,
    error => {
      throw error;
    },
  );
  await listening.listen('first', () => {});
  const ends = await Promise.all(['second', 'third', 'fourth'].map(channel => listening.listen(channel, () => {})));
  await Promise.all(ends.map(end => end()));
  await listening.close();
  expect(connection.statements).toEqual([
    'listen "first"',
    'listen "second"',
    'listen "third"',
    'listen "fourth"',
    'unlisten "second"',
    'unlisten "third"',
    'unlisten "fourth"',
  ]);
  expect(connection.most).toBe(1);
});

test('a message that one handler can’t read is reported once, and the others are given it', async () => {
  const connection = new CountingConnection();
  const errors: Error[] = [];
  const listening = listenThrough(
    async () => connection as unknown as Client,
    error => errors.push(error),
  );
  const read: unknown[] = [];
  await listening.listen('live', payload => read.push(JSON.parse(payload)));
  await listening.listen('live', payload => read.push(payload));
  connection.emit('notification', { channel: 'live', payload: 'junk {' });
  expect(read).toEqual(['junk {']);
  expect(errors).toMatchObject([{ message: 'A notification on live could not be read', cause: expect.any(SyntaxError) }]);
  connection.emit('notification', { channel: 'live', payload: '{}' });
  connection.emit('notification', { channel: 'other', payload: 'of no one' });
  expect(read).toEqual(['junk {', {}, '{}']);
  expect(errors).toHaveLength(1);
  await listening.close();
});
