import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delegate } from '../../apps/server/src/modules/resources/delegations.ts';
import { addDemoPools } from '../../apps/server/src/modules/resources/demo-pools.ts';
import { publishRepository } from '../../apps/server/src/modules/rpki/index.ts';
import { type TestPortal, testPortal } from '../../apps/server/test/portal.ts';
import { type ObservedRegistry, type Observer, openObservedRegistry } from './rpki-observers.ts';
import { canRunValidators } from './rpki-validators.ts';
import { anyNumbers } from '../../apps/server/test/any-numbers.ts';

const activity = { action: 'test', summary: 'Changed the ledger', traceId: '0'.repeat(32) };

/** Space without a holder under AS0, with a trust anchor of its own: validators that others wrote follow the pools. */
describe.runIf(canRunValidators)('space without a holder, seen by validators that others wrote', () => {
  let portal: TestPortal;
  let folder = '';
  let observed: ObservedRegistry<TestPortal>;
  let unallocated: Observer[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'portal-rpki-as0-'));
    observed = await openObservedRegistry(folder, async settings => {
      const opened = await testPortal(undefined, { ...settings, RPKI_AS0: 'yes' });
      await opened.db.change(activity, async change => {
        await addDemoPools(change);
        await change.rows(
          sql`insert into rpki_ca (kind, account_name, handle, enabled_at) values ('member', 'EXAMPLE-AU', ${'0'.repeat(24)}, now())`,
        );
      });
      await publishRepository(opened.context);
      return opened;
    });
    portal = observed.portal;
    unallocated = await observed.validatorsWith('/rpki/as0.tal');
  }, 120_000);
  afterAll(async () => {
    await observed?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const allSee = async (validators: readonly Observer[], expected: readonly string[]): Promise<void> => {
    for (const { name, run } of validators) expect({ name, ...(await run()) }).toEqual({ name, vrps: [...expected].sort(), warnings: [] });
  };
  const free = ['198.19.128.0/19', '198.19.160.0/21', '198.19.169.0/24', '198.19.171.0/24', '198.19.176.0/22', '3fff:800::/21'];
  const under = (prefixes: readonly string[]): string[] => prefixes.map(prefix => `AS0 ${prefix}-${prefix.split('/')[1]}`);

  test('is under AS0 for those who ask for it alone, and leaves with the publication that certifies its holder', async () => {
    await allSee(unallocated, under(free));
    await allSee(observed.validators, []);
    await portal.db.change(activity, async change => {
      await delegate(change, { resource: '198.19.176.0/23', accountName: 'EXAMPLE-AU', type: 'assigned' }, anyNumbers);
      await change.rows(
        sql`insert into roa (account_name, prefix, max_length, asn, created_at) values ('EXAMPLE-AU', '198.19.176.0/23', 23, 64500, now())`,
      );
    });
    await publishRepository(portal.context);
    await allSee(unallocated, under([...free.slice(0, 4), '198.19.178.0/23', free[5]!]));
    await allSee(observed.validators, ['AS64500 198.19.176.0/23-23']);
  }, 120_000);
});
