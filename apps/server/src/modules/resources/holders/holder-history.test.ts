import { api } from '@portal/contract/api';
import { dayIn, daysAfter, utcDay } from '@portal/contract/days';
import { parseResource } from '@portal/number-resources';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testPortal } from '../../../../test/portal.ts';
import { delegate } from '../delegations.ts';
import { movedSpace } from '../moving-space.ts';
import { lockLedger } from '../pools.ts';
import { anyNumbers } from '../../../../test/any-numbers.ts';

const line = (summary: string) => ({ action: 'test', summary, traceId: '0'.repeat(32) });

test('the ledger knows the holder of a block on a day: others by their statistics id, the reader’s account by name', async () => {
  await using portal = await testPortal();
  const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
  const today = utcDay(new Date());
  await portal.db.change(line('Delegated'), change =>
    delegate(
      change,
      {
        resource: '198.19.128.0/20',
        accountName: 'EXAMPLE-AU',
        type: 'allocated',
        delegatedOn: '2015-03-01',
        economy: 'AU',
      },
      anyNumbers,
    ),
  );
  // The part in the middle moves to another member.
  await portal.db.change(line('Moved'), async change => {
    await lockLedger(change);
    await movedSpace(
      change,
      'EXAMPLE-AU',
      [parseResource('198.19.136.0/22')],
      {
        accountName: 'OTHER-SG',
        economy: 'SG',
        withRegistrations: false,
      },
      { move: 'transferred', policy: anyNumbers },
    );
  });
  const holders = async (resource: string, on?: string) =>
    (await corin(api.resources.listHolders, { account: 'EXAMPLE-AU', query: { resource, ...(on && { on }) } })).data!.periods;
  const [now, before] = await holders('198.19.137.0/24');
  expect(now).toMatchObject({ resource: '198.19.136.0/22', from: today, until: null, own: false, holder: null, economy: 'SG' });
  expect(now!.holderId).toMatch(/^[0-9A-F]{16}$/);
  expect(before).toMatchObject({
    resource: '198.19.128.0/20',
    from: '2015-03-01',
    until: today,
    own: true,
    holder: 'Example Networks Pty Ltd',
  });
  expect(await holders('198.19.137.0/24', '2020-01-01')).toMatchObject([{ own: true }]);
  expect(await holders('198.19.137.0/24', today)).toMatchObject([{ own: false }]);
  expect(await holders('198.19.137.0/24', daysAfter('2015-03-01', -1))).toEqual([]);
  // The kept parts continue: they begin where the whole ended, and the old day belongs to the whole.
  expect((await holders('198.19.128.0/24')).map(({ resource, from, own }) => ({ resource, from, own }))).toEqual([
    { resource: '198.19.128.0/21', from: today, own: true },
    { resource: '198.19.128.0/20', from: '2015-03-01', own: true },
  ]);
  const theirs = (await olive(api.resources.listHolders, { account: 'OTHER-SG', query: { resource: '198.19.137.1' } })).data!.periods;
  expect(theirs.map(({ own, holder }) => ({ own, holder }))).toEqual([
    { own: true, holder: 'Other Cloud Pte. Ltd.' },
    { own: false, holder: null },
  ]);
  const file = await (await portal.request('/statistics/delegated-example-extended-latest')).text();
  expect(file).toContain(
    `|198.19.136.0|1024|${dayIn(portal.context.profile.timeZone, new Date()).replaceAll('-', '')}|allocated|${now!.holderId}`,
  );
  expect(await holders('AS64500')).toMatchObject([{ resource: 'AS64500', from: '2021-03-02', until: null, own: true }]);
  expect(await corin(api.resources.listHolders, { account: 'EXAMPLE-AU', query: { resource: 'example.net' } })).toMatchObject({
    status: 400,
  });
  await portal.db.change(line('Closed'), change => change.rows(sql`update delegation set status = 'closed' where resource = 'AS64500'`));
  expect(await holders('AS64500')).toMatchObject([{ from: '2021-03-02', until: today }]);
  const record = (await corin(api.whoisRecords.getRecord, { account: 'EXAMPLE-AU', query: { resource: '198.19.136.0/22' } })).data!;
  expect(record.sections.find(({ id }) => id === 'holders')!.rows.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^Holder [0-9A-F]{16}, allocated$/),
    'Example Networks Pty Ltd (you), 198.19.128.0/20, allocated',
  ]);
});
