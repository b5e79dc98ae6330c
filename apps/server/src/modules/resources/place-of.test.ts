import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { demoDatabase, kinds } from '../../../test/portal.ts';
import { placeOf } from './place-of.ts';

test('the place of an address is the holder of its delegation, in that economy', async () => {
  const { db, drop } = await demoDatabase(kinds.at(-1)!);
  try {
    for (const kind of ['ipv4', 'ipv6']) {
      const [held] = await db.read.rows<{ first: string; last: string; before: string; economy: string; orgName: string }>(sql`
        select host(first) as first, host(last) as last, host(first - 1) as before, d.economy, org_name from delegation d join account using (account_name)
        where kind = ${kind} and d.status <> 'closed' and first <> last
          and not exists (select from delegation o where o.kind = ${kind} and o.status <> 'closed' and o.last = d.first - 1) limit 1`);
      const { first, last, before, economy, orgName } = held!;
      expect(await placeOf(db.read, first)).toEqual({ economy, holder: orgName });
      expect(await placeOf(db.read, last)).toEqual({ economy, holder: orgName });
      expect(await placeOf(db.read, before)).toBeNull();
    }
    for (const elsewhere of ['127.0.0.1', '::1', '255.255.255.255', 'no address', '']) expect(await placeOf(db.read, elsewhere)).toBeNull();
  } finally {
    await db.close();
    await drop();
  }
});
