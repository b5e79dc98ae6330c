import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyNumbers } from '../../../../test/any-numbers.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../../test/portal.ts';
import { readProfile } from '../../../profile.ts';
import { delegate } from '../../resources/index.ts';
import { syncRegistryObjects } from './registry-object-sync.ts';

const profile = readProfile('');
const line = { action: 'test', summary: 'Changed the ledger', traceId: '0'.repeat(32) };

describe.each(kindsForRules)("the registry's objects in whois, on %s", kind => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await testPortal(kind);
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const textOf = async (key: string): Promise<string | undefined> =>
    (await portal.db.read.selectFrom('whoisObject').select('text').where('key', '=', key).executeTakeFirst())?.text;
  const serial = async (): Promise<number> =>
    (await portal.db.read.rows<{ last: number }>(sql`select max(serial) as last from whois_journal`))[0]!.last;

  test('follow a delegation from its first day to its last', async () => {
    await portal.db.change(line, change =>
      delegate(
        change,
        {
          resource: 'AS65540 - AS65541',
          accountName: 'LABNET-AU',
          type: 'assigned',
          economy: 'AU',
          delegatedOn: '2026-01-02',
        },
        anyNumbers,
      ),
    );
    expect(await syncRegistryObjects(portal.db, profile)).toBeGreaterThan(0);
    expect(await textOf('as65541')).toMatch(/as-name: +LABNET-AU[^]*org: +ORG-LC1-EX[^]*mnt-by: +EXAMPLE-HM/);
    expect(await textOf('org-lc1-ex')).toContain('Labnet Cooperative');
    const made = await portal.db.read
      .selectFrom('whoisObject')
      .select(['keptFor', 'createdAt'])
      .where('key', '=', 'as65541')
      .executeTakeFirst();
    expect(made).toMatchObject({ keptFor: 'LABNET-AU', createdAt: expect.stringContaining('2026-01-02') });

    const before = await serial();
    expect(await syncRegistryObjects(portal.db, profile)).toBe(0);
    await portal.db.change(line, change =>
      sql`insert into whois_due_account (account_name) values ('LABNET-AU'), ('EXAMPLE-AU')`.execute(change),
    );
    expect(await syncRegistryObjects(portal.db, profile)).toBe(2);
    expect(await serial()).toBe(before);

    await portal.db.change(line, change => sql`update delegation set status = 'closed' where account_name = 'LABNET-AU'`.execute(change));
    await syncRegistryObjects(portal.db, profile);
    expect(await textOf('as65541')).toBeUndefined();
    expect(await textOf('org-lc1-ex')).toBeUndefined();
    // Serials have no gaps.
    const [counted] = await portal.db.read.rows<{ lines: number; last: number }>(
      sql`select count(*)::int as lines, max(serial) as last from whois_journal`,
    );
    expect(counted!.lines).toBe(counted!.last);
  });

  test('leave a holder the block of AS numbers that is all the registry delegated there, and end with it', async () => {
    const key = 'as4200000000 - as4200000099';
    const due = (): Promise<unknown> =>
      portal.db.change(line, change =>
        sql`insert into whois_due_account (account_name) values ('LABNET-AU') on conflict do nothing`.execute(change),
      );
    const keptFor = async () =>
      (await portal.db.read.selectFrom('whoisObject').select('keptFor').where('key', '=', key).executeTakeFirst())?.keptFor;
    await portal.db.change(line, change =>
      delegate(
        change,
        { resource: 'AS4200000000 - AS4200000099', accountName: 'LABNET-AU', type: 'allocated', economy: 'AU', delegatedOn: '2026-01-02' },
        anyNumbers,
      ),
    );
    await syncRegistryObjects(portal.db, profile);
    expect(await keptFor()).toBe('LABNET-AU');
    const before = await serial();
    await due();
    await syncRegistryObjects(portal.db, profile);
    expect(await keptFor()).toBe('LABNET-AU');
    expect(await serial(), 'nothing is written anew').toBe(before);

    await portal.db.change(line, change => sql`update delegation set status = 'closed' where first_as = 4200000000`.execute(change));
    await syncRegistryObjects(portal.db, profile);
    expect(await textOf(key)).toBeUndefined();
  });

  test('follow the organisation, and keep what its holder wrote', async () => {
    const key = '198.18.0.0 - 198.18.31.255';
    const corin = await portal.as('corin');
    const text = (await textOf(key))!.replace('source:', 'remarks:        Written by its holder\nsource:');
    await corin(api.whois.submitUpdates, { account: 'EXAMPLE-AU', body: { updates: [{ text }] } });
    await portal.db.change(line, change =>
      change.updateTable('account').set({ orgName: 'Renamed Networks' }).where('accountName', '=', 'EXAMPLE-AU').execute(),
    );
    await syncRegistryObjects(portal.db, profile);
    expect(await textOf(key)).toMatch(/descr: +Renamed Networks[^]*remarks: +Written by its holder/);
    const [organisation] = await portal.db.read.rows<{ text: string }>(
      sql`select text from whois_object where class = 'organisation' and kept_for = 'EXAMPLE-AU'`,
    );
    expect(organisation!.text).toContain('Renamed Networks');
  });
});
