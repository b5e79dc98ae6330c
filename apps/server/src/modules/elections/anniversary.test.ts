import { api } from '@portal/contract/api';
import { daysAfter, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { kindsForRules, testPortal } from '../../../test/portal.ts';
import { holdingsOfVoters } from '../resources/index.ts';

const account = 'EXAMPLE-AU';
const today = utcDay(Date.now());
const line = (happenedAt: string) => ({ action: 'test', summary: 'test', traceId: '0'.repeat(32), happenedAt });

describe.each(kindsForRules)('votes by holdings on %s', kind => {
  test('follow the last membership anniversary: a change on the day before counts, one on the day itself doesn’t', async () => {
    await using portal = await testPortal(kind);
    const anniversary = daysAfter(today, -10);
    const [given] = (await portal.db.read.rows<{
      delegationId: string;
      size: string;
    }>(sql`select delegation_id::text, size::text from delegation
      where account_name = 'OTHER-SG' and kind = 'ipv4' and status <> 'closed' limit 1`)) as [{ delegationId: string; size: string }];
    const held = async () => BigInt((await holdingsOfVoters(portal.db.read, account))[0]!.ipv4Addresses);
    const end = (day: string) =>
      portal.db.change(line(`${today}T00:00:00.000Z`), change =>
        change.rows(sql`update account set expiry_date = (${day}::date + interval '1 year')::date where account_name = ${account}`),
      );
    await end(anniversary);
    const before = await held();
    expect(before).toBeGreaterThan(0n);
    // Received on the anniversary: not held when that day began.
    await portal.db.change(line(`${anniversary}T00:00:00.000Z`), change =>
      change.rows(sql`update delegation set account_name = ${account} where delegation_id::text = ${given.delegationId}`),
    );
    expect(await held()).toBe(before);
    const corin = await portal.as('corin');
    const { weight } = (await corin(api.voting.getMemberVoting, { account })).data!;
    expect(weight.holdings!.ipv4Addresses).toBe(String(before));
    // Held when the following day began.
    await end(daysAfter(anniversary, 1));
    expect(await held()).toBe(before + BigInt(given.size));
    const all = await holdingsOfVoters(portal.db.read);
    expect(all.find(({ accountName }) => accountName === account)!.ipv4Addresses).toBe(String(before + BigInt(given.size)));
  });
});
