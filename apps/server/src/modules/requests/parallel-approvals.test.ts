import { emptyForm } from '@portal/contract/requests/request-form';
import { countSet, parseResource } from '@portal/number-resources';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { kinds, testPortal } from '../../../test/portal.ts';
import { openDatabase } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import { addPools, columnsOf, freeSpace } from '../resources/index.ts';
import { requestLife } from '@portal/contract/requests/life';
import { moveCase } from '../../platform/http/cases.ts';
import { casesOfStaff } from './cases.ts';
import { approveRequest } from './decisions.ts';

const REQUESTS = 200;

test.runIf(kinds.includes('postgres'))(
  'of 200 approvals over 8 connections from a pool of 150 blocks 150 succeed, without an overlap or a lost block',
  async () => {
    await using portal = await testPortal('postgres');
    const [stella] = await portal.db.read.rows<{ loginId: string }>(sql`select login_id from login where username = 'stella'`);
    const [max] = await portal.db.read.rows<{ loginId: string }>(sql`select login_id from login where username = 'max'`);
    const activity = (action: string) => ({ action: `demo.${action}`, summary: 'Prepared', traceId: '0'.repeat(32) });
    const ids = await portal.db.change(activity('pools'), async change => {
      // 128 and 22 blocks of a /24, and a /25 that is too small for any request.
      for (const text of ['198.19.128.0/17', '198.18.224.0 - 198.18.245.255', '198.18.250.0/25'])
        await addPools(change, [
          { ...columnsOf(parseResource(text)), state: 'available', registry: '', economyText: '', dateText: '', extensions: null },
        ]);
      const form = JSON.stringify({ ...emptyForm, path: 'lir', length: 24, abuseMailbox: 'abuse@load.example' });
      await change.rows(sql`insert into account (account_name, account_status, account_type, nir, org_name, economy)
      select 'LOAD' || n || '-FJ', 'open', 'regular', false, 'Load ' || n, 'FJ' from generate_series(1, ${REQUESTS}::int) n`);
      return change.rows<{
        id: string;
      }>(sql`insert into resource_request (account_name, kind, state, form, requested_by, started_at, submitted_at, since)
      select 'LOAD' || n || '-FJ', 'ipv4', 'submitted', ${form}::jsonb, ${max!.loginId}, now(), now(), now() from generate_series(1, ${REQUESTS}::int) n
      returning resource_request_id::text as id`);
    });
    const db = await openDatabase({ url: portal.url, pools: { reader: 8, writer: 8 } });
    try {
      const { profile } = portal.context;
      const caller = { loginId: stella!.loginId, staffPermissions: new Set(['resources']) } as unknown as Parameters<
        typeof approveRequest
      >[0]['caller'];
      const waiting = [...ids];
      const results: PromiseSettledResult<Awaited<ReturnType<typeof approveRequest>>>[] = [];
      const approveNext = async (): Promise<void> => {
        for (let next = waiting.pop(); next; next = waiting.pop()) {
          const { id } = next;
          const approve = db.change(activity('approve'), change =>
            moveCase(casesOfStaff, requestLife.approve, approveRequest, {
              change,
              caller,
              params: { requestId: id },
              body: { note: '', resource: '', version: 0 },
              registry: { profile, now: new Date() },
            }),
          );
          results.push(...(await Promise.allSettled([approve])));
        }
      };
      await Promise.all(Array.from({ length: 8 }, approveNext));
      const given = results.flatMap(result => (result.status === 'fulfilled' ? result.value.resources : []));
      const reasons = Map.groupBy(results, result => (result.status === 'rejected' ? String((result.reason as Error).message) : 'given'));
      expect(Object.fromEntries([...reasons].map(([reason, found]) => [reason, found.length]))).toEqual({
        given: 150,
        [refuse('POOL_EXHAUSTED').message]: 50,
      });
      expect(given).toHaveLength(150);
      expect(new Set(given).size).toBe(150);
    } finally {
      await db.close();
    }
    expect(countSet(await freeSpace(portal.db.read, 'ipv4'), 'ipv4')).toBe(128n);
    const [ledger] = await portal.db.read.rows<{ delegations: number }>(
      sql`select count(*)::int as delegations from delegation where account_name like 'LOAD%' and status = 'active'`,
    );
    expect(ledger!.delegations).toBe(150);
  },
  120_000,
);
