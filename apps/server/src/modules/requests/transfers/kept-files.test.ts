import { createHash } from 'node:crypto';
import { utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testPortal } from '../../../../test/portal.ts';
import { longestTurnOf } from '../../../../test/thread-costs.ts';
import { keptFiles, md5Of } from './kept-files.ts';

const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };

test('a file is made once for all who ask, and again when its rows, the day or five minutes have changed', async () => {
  await using portal = await testPortal();
  let now = Date.parse('2026-11-20T12:00:00Z');
  let made = 0;
  const keep = keptFiles({ read: portal.db.read, clock: () => new Date(now), dayOf: at => utcDay(at) });
  const maker = {
    tables: ['delegation'],
    make: async () => {
      made++;
      if (made === 4) throw new Error('The database does not answer.');
      return { bytes: Buffer.from(`file ${made}`), type: 'text/plain' };
    },
  };
  const ask = async () => (await keep('latest', maker)).bytes.toString();

  expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(Array(20).fill('file 1'));
  await portal.db.change(line, change => change.rows(sql`update pool set state = state where false`));
  await portal.db.change(line, change => change.rows(sql`update account set org_name = 'Another' where account_name = 'OTHER-SG'`));
  now += 299_000;
  expect(await ask()).toBe('file 1');

  await portal.db.change(line, change => change.rows(sql`update delegation set status = 'closed' where resource = '203.0.113.0/24'`));
  expect([await ask(), await ask()]).toEqual(['file 2', 'file 2']);
  now += 300_000;
  expect(await ask()).toBe('file 3');

  // What failed isn't kept.
  now = Date.parse('2026-11-21T00:00:00Z');
  await expect(ask()).rejects.toThrow('does not answer');
  expect(await ask()).toBe('file 5');
  now = Date.parse('2026-11-22T00:00:00Z');
  expect(await ask()).toBe('file 6');
});

test('the MD5 of a large file leaves others their turn', async () => {
  const bytes = Buffer.alloc(40_000_000, 'delegated');
  expect(await md5Of(bytes)).toBe(createHash('md5').update(bytes).digest('hex'));
  expect(await longestTurnOf(5, () => md5Of(bytes))).toBeLessThan(5);
});
