import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { frozenFindings } from './frozen-migrations.ts';

const file = (name: string, text: string) => ({ path: `apps/server/db/migrations/${name}`, text });
const frozen = (name: string, text: string) => `${createHash('sha256').update(text).digest('hex')}  ${name}\n`;
const list = frozen('0001_a.sql', 'select 1;') + frozen('0002_b.sql', 'select 2;');

test('a frozen migration may not be edited or taken away; a new one may', () => {
  const [a, b] = [file('0001_a.sql', 'select 1;'), file('0002_b.sql', 'select 2;')];
  expect(frozenFindings(list, [a, b, file('0003_c.sql', 'select 3;')])).toEqual([]);
  expect(frozenFindings(list, [a, file('0002_b.sql', 'select 2; -- better')])).toEqual([
    expect.stringContaining('migrations/0002_b.sql is frozen: put it back'),
  ]);
  expect(frozenFindings(list, [b])).toEqual([expect.stringContaining('0001_a.sql is frozen, and is not there')]);
});

test('a new migration is numbered after all that databases have applied', () => {
  const both = [file('0001_a.sql', 'select 1;'), file('0002_b.sql', 'select 2;')];
  expect(frozenFindings(list, [...both, file('0001_z.sql', 'select 3;')])).toEqual([
    expect.stringContaining('migrations/0001_z.sql is new: number it after 0002_b.sql'),
  ]);
});
