import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { api } from '@portal/contract/api';
import { emptyForm } from '@portal/contract/requests/request-form';
import type { NewRoa } from '@portal/contract/rpki/rpki';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delegate } from '../../apps/server/src/modules/resources/delegations.ts';
import { publishRepository } from '../../apps/server/src/modules/rpki/index.ts';
import { approveByTwo, completePaid, payFee } from '../../apps/server/test/deciding-requests.ts';
import { type TestPortal, testPortal } from '../../apps/server/test/portal.ts';
import { type ObservedRegistry, openObservedRegistry } from './rpki-observers.ts';
import { canRunValidators, type Validated } from './rpki-validators.ts';
import { anyNumbers } from '../../apps/server/test/any-numbers.ts';

const account = 'EXAMPLE-AU';
const activity = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };

/** A /22 out of the middle of a /20 moves to another member while its networks are announced: validators that others wrote follow before, during and after. */
describe.runIf(canRunValidators)('a transfer of a part, seen by validators that others wrote', () => {
  let portal: TestPortal;
  let folder = '';
  let observed: ObservedRegistry<TestPortal>;
  let validators: { name: string; run: () => Promise<Validated> }[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'portal-rpki-transfer-'));
    observed = await openObservedRegistry(folder, async settings => {
      const opened = await testPortal(undefined, settings);
      await opened.db.change(activity, async change => {
        await delegate(
          change,
          { resource: '198.19.128.0/20', accountName: account, type: 'allocated', delegatedOn: '2015-03-01' },
          anyNumbers,
        );
        for (const [place, name] of [account, 'OTHER-SG'].entries())
          await change.rows(
            sql`insert into rpki_ca (kind, account_name, handle, enabled_at) values ('member', ${name}, ${`${place}`.repeat(24)}, now())`,
          );
      });
      await publishRepository(opened.context);
      return opened;
    });
    ({ portal, validators } = observed);
  }, 120_000);
  afterAll(async () => {
    await observed?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const allSee = async (expected: readonly string[]): Promise<void> => {
    for (const { name, run } of validators) expect({ name, ...(await run()) }).toEqual({ name, vrps: [...expected].sort(), warnings: [] });
  };

  test('keeps every announcement valid at each step, and the certificates hold what each member has', async () => {
    const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
    const { data } = await corin(api.rpki.listRoas, { account, query: {} });
    const add = [
      { prefix: '198.19.128.0/20', asn: 'AS64500', maxLength: 22 },
      { prefix: '198.19.136.0/22', asn: 'AS65536', maxLength: 24 },
      { prefix: '198.19.132.0/23', asn: 'AS65537' },
    ] as NewRoa[];
    expect((await corin(api.rpki.changeRoas, { account, body: { version: data!.version, add, remove: [] } })).errors).toBeUndefined();
    await publishRepository(portal.context);
    const before = ['AS64500 198.19.128.0/20-22', 'AS65536 198.19.136.0/22-24', 'AS65537 198.19.132.0/23-23'];
    await allSee(before);

    const { requestId, version } = (await corin(api.requests.startRequest, { account, body: { kind: 'transfer' } })).data!;
    const form = { ...emptyForm, resources: ['198.19.136.0/22'], recipient: 'OTHER-SG', reason: 'Sold' };
    const saved = await corin(api.requests.saveRequest, { account, requestId, body: { version, form, documentIds: [] } });
    expect(saved.data!.plan!.keeps).toEqual(['198.19.128.0/21', '198.19.140.0/22']);
    await corin(api.requests.submitRequest, { account, requestId, body: { version: saved.data!.version, truthful: true } });
    const offer = (await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId })).data!;
    const answers = { plan: [{ purpose: 'Hosting', amounts: [256, 512, 768, 1024, 1600] }], network: 'A data centre in Singapore.' };
    await olive(api.requests.acknowledgeTransfer, {
      account: 'OTHER-SG',
      requestId,
      body: { version: offer.version, form: { ...emptyForm, ...answers }, documentIds: [], truthful: true },
    });
    await approveByTwo(portal, requestId);
    await publishRepository(portal.context);
    await allSee(before);

    await payFee(portal, requestId);
    await completePaid(portal);
    // The ledger has changed, and the repository not yet: what was published is still whole and valid.
    await allSee(before);
    await publishRepository(portal.context);
    await allSee([
      'AS64500 198.19.128.0/21-22',
      'AS64500 198.19.136.0/22-22',
      'AS64500 198.19.140.0/22-22',
      'AS65536 198.19.136.0/22-24',
      'AS65537 198.19.132.0/23-23',
    ]);
    expect((await corin(api.rpki.listRoas, { account, query: {} })).data!.rows.map(({ prefix }) => prefix).toSorted()).toEqual([
      '198.19.128.0/21',
      '198.19.132.0/23',
      '198.19.140.0/22',
    ]);
  }, 240_000);
});
