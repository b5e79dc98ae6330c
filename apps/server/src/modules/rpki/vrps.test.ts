import { overlapsRange, parsePrefix, containsRange, printPrefix, prefixAt } from '@portal/number-resources';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../../../test/portal.ts';
import { vrpsAround, vrpsCovering } from './vrps.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
  await portal.db.change({ action: 'test', summary: 'Stored payloads', traceId: '0'.repeat(32) }, async change => {
    await change.rows(
      sql`insert into rpki_child (account_name, handle, child_handle, identity, created_at) values ('OTHER-SG', 'any', 'own', '', now())`,
    );
    // Every prefix of up to 5 bits below two blocks.
    await change.rows(sql`insert into rpki_child_vrp (child_id, prefix, asn, max_length)
      select child_id, network(set_masklen(base.block, masklen(base.block) + bits) + (n::bigint << (24 - bits)))::cidr, 64500 + bits, masklen(base.block) + bits
        from rpki_child, (values ('10.0.0.0/8'::cidr)) as base (block), generate_series(0, 5) bits, generate_series(0, 31) n where n < 2 ^ bits`);
  });
});
afterAll(() => portal[Symbol.asyncDispose]());

/** Prefixes of 10.0.0.0/8 that contain each other and come more than once, and others. */
const prefixes = fc.array(
  fc.oneof(
    fc
      .record({ top: fc.nat(31), bits: fc.integer({ min: 0, max: 7 }) })
      .map(({ top, bits }) => printPrefix(prefixAt('ipv4', (10n << 24n) | (BigInt(top) << 19n), 8 + bits))),
    fc.constantFrom('0.0.0.0/0', '11.0.0.0/8', '8.0.0.0/6', '2001:db8::/32', '::/0'),
  ),
  { maxLength: 12 },
);

test('payloads around prefixes are those that every prefix held against every payload gives, each once', async () => {
  const all = await portal.db.read.rows<{ prefix: string; asn: number; maxLength: number }>(
    sql`select prefix::text, asn::float8 as asn, max_length from rpki_child_vrp union select prefix::text, asn::float8, max_length from roa`,
  );
  const hosted = new Set((await portal.db.read.rows<{ prefix: string }>(sql`select prefix::text from roa`)).map(({ prefix }) => prefix));
  const name = ({ prefix, asn }: { prefix: string; asn: number }): string => `${prefix} ${asn}`;
  const mine = <Vrp extends { prefix: string; asn: number }>(list: readonly Vrp[]): string[] =>
    list
      .filter(({ prefix }) => !hosted.has(prefix))
      .map(name)
      .toSorted();
  await fc.assert(
    fc.asyncProperty(prefixes, async given => {
      const ranges = given.map(parsePrefix);
      const around = all.filter(({ prefix }) => ranges.some(each => overlapsRange(each, parsePrefix(prefix))));
      const over = all.filter(({ prefix }) => ranges.some(each => containsRange(parsePrefix(prefix), each)));
      expect(mine(await vrpsAround(portal.db.read, given))).toEqual(mine(around));
      expect(mine(await vrpsCovering(portal.db.read, given))).toEqual(mine(over));
      const asked = await portal.db.read.rows<{ prefix: string; asn: number }>(
        sql`select prefix::text, asn::float8 as asn from roas_around(${given}::cidr[])`,
      );
      expect(asked.map(name).toSorted()).toEqual(around.map(name).toSorted());
    }),
    { numRuns: 60 },
  );
});
