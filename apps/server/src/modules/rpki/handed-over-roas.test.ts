import { parsePrefix } from '@portal/number-resources';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testPortal } from '../../../test/portal.ts';
import { carryOutSignatures, touchedRoas } from './handed-over-roas.ts';
import { printRoa } from './roa-changes.ts';

const [from, to] = ['EXAMPLE-AU', 'OTHER-SG'];
const activity = { action: 'test', summary: 'Moved addresses', traceId: '0'.repeat(32) };

test('if several ROAs end up with the same prefix, on either side, the greatest maximum length is kept', async () => {
  await using portal = await testPortal();
  await portal.db.change(activity, change =>
    change.rows(sql`insert into roa (account_name, prefix, max_length, asn, comment, created_at) values
      (${from}, '198.18.0.0/19', 24, 64500, 'The whole', now()), (${from}, '198.18.0.0/20', 22, 64500, '', now()),
      (${from}, '198.18.0.0/21', 21, 64500, 'A part', now()), (${from}, '198.18.16.0/20', 20, 64501, 'Of another AS', now()),
      (${to}, '198.18.8.0/21', 23, 64500, 'From earlier', now())`),
  );
  const moved = [parsePrefix('198.18.8.0/21')];
  const touched = await touchedRoas(portal.db.read, from, moved);
  expect(touched.map(({ name, why, keeps, gives }) => [name, why, keeps.map(printRoa), gives.map(printRoa)])).toEqual([
    ['AS64500 198.18.0.0/19-24', 'across', ['AS64500 198.18.0.0/21-24', 'AS64500 198.18.16.0/20-24'], ['AS64500 198.18.8.0/21-24']],
    ['AS64500 198.18.0.0/20-22', 'across', ['AS64500 198.18.0.0/21-24'], ['AS64500 198.18.8.0/21-24']],
  ]);
  await portal.db.change(activity, async change => {
    const roas = touched.map(each => ({ touched: each, goes: true }));
    await carryOutSignatures(change, { from, to, roas, aspas: [] });
  });
  const left = await portal.db.read.rows<{ of: string }>(
    sql`select account_name || ' ' || prefix || '-' || max_length || ' AS' || asn as of from roa where prefix <<= '198.18.0.0/19' order by 1`,
  );
  expect(left.map(({ of }) => of)).toEqual([
    'EXAMPLE-AU 198.18.0.0/21-24 AS64500',
    'EXAMPLE-AU 198.18.16.0/20-20 AS64501',
    'EXAMPLE-AU 198.18.16.0/20-24 AS64500',
    'OTHER-SG 198.18.8.0/21-24 AS64500',
  ]);
});
