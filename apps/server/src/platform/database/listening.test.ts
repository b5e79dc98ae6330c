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
