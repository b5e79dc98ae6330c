import { api } from '@portal/contract/api';
import { emptyForm } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { approveByTwo, payFee } from '../deciding-requests.ts';
import { kinds, type TestPortal, testPortal } from '../portal.ts';
import { killProgram, workerPrograms } from './worker-programs.ts';

const account = 'EXAMPLE-AU';
const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };

describe.runIf(kinds.includes('postgres'))('a worker that is killed while it completes a transfer', () => {
  let portal: TestPortal;
  let workers: Awaited<ReturnType<typeof workerPrograms>>;
  beforeAll(async () => {
    portal = await testPortal('postgres');
    workers = await workerPrograms(portal.url);
  });
  afterAll(async () => {
    await workers.stop();
    await portal[Symbol.asyncDispose]();
  });
  const until = (holds: () => Promise<void>): Promise<void> => vi.waitFor(holds, { timeout: 90_000, interval: 50 });
  const heldBy = async (accountName: string): Promise<string[]> =>
    (
      await portal.db.read.rows<{ resource: string }>(
        sql`select resource from delegation where account_name = ${accountName} and kind = 'ipv4' and status <> 'closed' order by first`,
      )
    ).map(({ resource }) => resource);

  test('leaves everything as it was, and the next one completes it once', { timeout: 150_000 }, async () => {
    const [corin, olive, stella] = [await portal.as('corin'), await portal.as('olive'), await portal.as('stella')];
    await portal.db.change(line, async change => {
      await change.rows(sql`insert into rpki_ca (kind, account_name, handle, enabled_at) values ('member', ${account}, 'abc', now())`);
      await change.rows(sql`insert into roa (account_name, prefix, max_length, asn, comment, created_at)
        values (${account}, '198.18.8.0/22', 24, 64500, '', now())`);
    });
    const { requestId, version } = (await corin(api.requests.startRequest, { account, body: { kind: 'transfer' } })).data!;
    const form = { ...emptyForm, resources: ['198.18.8.0/22'], recipient: 'OTHER-SG', reason: 'Sold' };
    const saved = await corin(api.requests.saveRequest, { account, requestId, body: { version, form, documentIds: [] } });
    await corin(api.requests.submitRequest, { account, requestId, body: { version: saved.data!.version, truthful: true } });
    const offer = (await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId })).data!;
    const answers = { plan: [{ purpose: 'Hosting', amounts: [256, 512, 768, 1024, 1600] }], network: 'A data centre in Singapore.' };
    await olive(api.requests.acknowledgeTransfer, {
      account: 'OTHER-SG',
      requestId,
      body: { version: offer.version, form: { ...emptyForm, ...answers }, documentIds: [], truthful: true },
    });
    await approveByTwo(portal, requestId);
    await payFee(portal, requestId);
    const [ours, theirs] = [await heldBy(account), await heldBy('OTHER-SG')];

    // The ROA is the last of what a completion changes: with its row held, the worker is in the middle for as long as this takes.
    await portal.db.unrecorded.transaction().execute(async holder => {
      await sql`select roa_id from roa where prefix = '198.18.8.0/22' for update`.execute(holder);
      const worker = workers.start();
      await until(async () => {
        const waiting = await portal.db.read.rows(
          sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ilike '%delete from roa%'`,
        );
        expect(waiting).toHaveLength(1);
      });
      await killProgram(worker);
    });
    expect([await heldBy(account), await heldBy('OTHER-SG')]).toEqual([ours, theirs]);
    expect((await stella(api.requestDesk.getStaffRequest, { requestId })).data).toMatchObject({ state: 'awaiting-fee' });

    workers.start();
    await until(async () =>
      expect((await stella(api.requestDesk.getStaffRequest, { requestId })).data).toMatchObject({ state: 'completed' }),
    );
    expect((await heldBy('OTHER-SG')).filter(resource => resource === '198.18.8.0/22')).toHaveLength(1);
    const events = await portal.db.read.rows(
      sql`select 1 from resource_request_event where resource_request_id = ${Number(requestId)} and kind = 'completed'`,
    );
    expect(events).toHaveLength(1);
  });
});
