import { api } from '@portal/contract/api';
import { daysBetween, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testPortal } from '../../test/portal.ts';
import { listVrps, publishAll } from '../modules/rpki/index.ts';
import { readProfile } from '../profile.ts';
import { loadedDemo } from './index.ts';
import { addDemoLife } from './registry.ts';

test('a first visit finds requests that wait with their age, bulk updates with their reports, unread notifications, ROAs and an open vote', async () => {
  await using portal = await testPortal();
  const { db, config } = portal;
  const today = new Date();
  await addDemoLife(await loadedDemo(db, { config, profile: readProfile(''), today, store: null }));

  const account = 'EXAMPLE-AU';
  const [corin, tess, stella] = await Promise.all(['corin', 'tess', 'stella'].map(name => portal.as(name)));
  const daysAgo = (instant: string): number => daysBetween(utcDay(instant), utcDay(today));
  expect((await corin!(api.rpkiAspas.listAspas, { account })).data!.rows.map(({ changedAt }) => daysAgo(changedAt))).toEqual([214]);
  expect((await corin!(api.routes.listChanges, { account })).data!.rows.map(({ madeAt }) => daysAgo(madeAt))).toEqual([3, 185]);
  const { data: requests } = await corin!(api.accessRequests.listAccessRequests, { account });
  expect(
    requests!.map(({ kind, requester, requestedAt }) => [kind, requester.name, daysBetween(utcDay(requestedAt), utcDay(today))]),
  ).toEqual(
    expect.arrayContaining([
      ['add-contact', 'Tilda Marchetti', 9],
      ['permission', 'Bill Okonkwo', 2],
    ]),
  );
  const { data: tasks } = await tess!(api.tasks.listTasks, { account, query: { kind: 'bulk' } });
  expect(tasks!.rows.map(({ outcome, startedBy }) => [outcome, startedBy])).toEqual([
    ['failed', 'Tess Lindqvist'],
    ['success', 'Tess Lindqvist'],
  ]);
  const { data: voting } = await corin!(api.voting.getMemberVoting, { account });
  expect(
    voting!.elections.flatMap(({ title, windows }) => windows.filter(({ state }) => state === 'open').map(({ kind }) => [title, kind])),
  ).toEqual(expect.arrayContaining([['Fee schedule from 2028', 'member-vote']]));
  const { data: closures } = await stella!(api.accountClosures.listStaffAccountClosures, { query: {} });
  expect(closures!.rows.map(({ accountName }) => accountName)).toEqual(['INLET-ID']);

  await publishAll(portal.context);
  expect(
    (await listVrps(db.read)).map(({ accountName, prefix, asn, maxLength }) => `${accountName} AS${asn} ${prefix}-${maxLength}`),
  ).toEqual([
    'EXAMPLE-AU AS64500 198.18.0.0/19-19',
    'EXAMPLE-AU AS65536 198.18.64.0/23-24',
    'OTHER-SG AS64501 198.51.100.0/24-24',
    'EXAMPLE-AU AS0 203.0.113.0/24-24',
    'EXAMPLE-AU AS64500 2001:db8::/32-32',
    'OTHER-SG AS64501 3fff:200::/32-32',
  ]);
});

test('every public registration of the demo registry has its object in whois', async () => {
  await using portal = await testPortal();
  expect(
    await portal.db.read.rows(sql`select account_name, resource from assignment a where visibility = 'public'
      and not exists (select from whois_object o where o.class in ('inetnum', 'inet6num') and o.first = a.first and o.last = a.last)`),
  ).toEqual([]);
});
