import { api } from '@portal/contract/api';
import { DAY_MS, daysAfter, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { approveAlone, approveByTwo, sendRequest } from '../../../test/deciding-requests.ts';
import { type TestPortal, testPortal } from '../../../test/portal.ts';
import { sentFile } from '../../../test/sample-files.ts';
import { addDemoPools } from '../resources/demo-pools.ts';
import { syncRegistryObjects } from '../whois/index.ts';
import { endEventSpace } from './event-space.ts';

const account = 'LABNET-AU';
const today = utcDay(Date.now());
const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };

/** Gives the account a block on some grounds, through a request. */
async function given(portal: TestPortal, form: Parameters<typeof sendRequest>[3]): Promise<string> {
  const corin = await portal.as('corin');
  const { requestId } = await sendRequest(corin, account, 'ipv4', { network: 'One switch in one hall.', ...form }, [await sentFile(corin)]);
  const { data, errors } = await approveAlone(portal, requestId);
  expect(errors).toBeUndefined();
  return data!.resources[0]!;
}
const lasting = { path: 'temporary', length: 22, startsOn: today, endsOn: daysAfter(today, 60) } as const;

test('space for an exchange or an event doesn’t count for the last pool, can’t be transferred, and can be returned', async () => {
  await using portal = await testPortal();
  await portal.db.change(line, change => addDemoPools(change));
  const corin = await portal.as('corin');
  const neighbours = [1, 2, 3].map(number => ({ asn: `AS6450${number}`, name: 'Member' }));
  const lan = await given(portal, { path: 'ixp', length: 26, neighbours });
  const event = await given(portal, lasting);
  const rows = (await corin(api.requests.listMovable, { account })).data!.rows.filter(({ kind }) => kind === 'ipv4');
  expect(rows.map(({ resource, holdUntil, against }) => [resource, holdUntil, against.transfer, against.return])).toEqual(
    [
      [event, null, 'It is for an event, so it can only be returned', null],
      [lan, null, 'It is for an internet exchange, so it can only be returned', null],
    ].toSorted(([a], [b]) => rows.findIndex(row => row.resource === a) - rows.findIndex(row => row.resource === b)),
  );
  const eligibility = (await corin(api.requests.getEligibility, { account, kind: 'ipv4' })).data!;
  expect(eligibility.checks.find(({ checkId }) => checkId === 'limit')!.known).toBe('None of the 512 addresses are used yet');
  for (const kind of ['transfer', 'acquisition'] as const)
    await expect(
      sendRequest(
        corin,
        account,
        kind,
        { resources: [event], recipient: 'OTHER-SG', reason: 'Over', occasion: 'merger', legalName: 'Other Cloud', startsOn: today },
        [await sentFile(corin)],
      ),
    ).rejects.toThrow('Not delegated for one use');
  expect(
    (
      await corin(api.listings.addListing, {
        account,
        body: { kind: 'offer', resource: event, length: 22, notes: '', namesHolder: false, interRegistry: false, consent: true },
      })
    ).errors,
  ).toMatchObject([{ code: 'REQUEST_NOT_ALLOWED' }]);
  // After returning a half, the other half is still for the event.
  const { requestId } = await sendRequest(corin, account, 'return', {
    resources: [event.replace('/22', '/23')],
    reason: 'Half is enough',
    startsOn: today,
  });
  expect(await approveByTwo(portal, requestId)).toMatchObject({ state: 'completed' });
  expect(
    await portal.db.read.rows(
      sql`select size::int as size, ends_on::text from delegation where purpose = 'temporary' and status <> 'closed'`,
    ),
  ).toEqual([{ size: 512, endsOn: lasting.endsOn }]);
});

test('a reminder is sent before event space ends, and on the day after its last day the registry opens its return, once', async () => {
  let days = 0;
  await using portal = await testPortal(undefined, {}, () => new Date(Date.now() + days * DAY_MS));
  await portal.db.change(line, change => addDemoPools(change));
  const corin = await portal.as('corin');
  const event = await given(portal, lasting);
  const mails = async (): Promise<string[]> =>
    (await portal.mailsTo('corin@example-au.example')).map(({ subject }) => subject).filter(subject => subject.includes(event));
  const run = (day: string): Promise<void> => endEventSpace(portal.db, new Date(`${day}T12:00:00Z`), portal.context.profile);
  const before = (await mails()).length;
  await run(daysAfter(lasting.endsOn, -15));
  expect(await mails()).toHaveLength(before);
  await run(daysAfter(lasting.endsOn, -14));
  await run(lasting.endsOn);
  expect((await mails()).slice(before)).toEqual([expect.stringContaining(`${event} ends on`)]);
  await run(daysAfter(lasting.endsOn, 1));
  await run(daysAfter(lasting.endsOn, 2));
  const [opened, ...others] = (await corin(api.requests.listRequests, { account, query: { kind: 'return' } })).data!.rows;
  expect(others).toEqual([]);
  expect(opened).toMatchObject({ state: 'submitted', asked: `Return ${event}`, nextMove: 'registry' });
  expect((await mails()).slice(before + 1)).toEqual([expect.stringContaining(`the return of ${event} has started`)]);
  days = 61;
  expect(await approveByTwo(portal, opened!.requestId)).toMatchObject({ state: 'completed' });
  expect(await portal.db.read.rows(sql`select resource from pool where resource = ${event} and rests_until is not null`)).toHaveLength(1);
});

test('IPv6 and an AS number for an event don’t count as a first block, appear in RDAP and statistics, and are returned after the last day', async () => {
  let days = 0;
  await using portal = await testPortal(undefined, {}, () => new Date(Date.now() + days * DAY_MS));
  await portal.db.change(line, change => addDemoPools(change));
  const corin = await portal.as('corin');
  const words = { network: 'One hall with two upstreams for a week.', startsOn: today, endsOn: lasting.endsOn };
  const ask = async (kind: 'ipv6' | 'asn', form: Parameters<typeof sendRequest>[3]): Promise<string> => {
    const { requestId } = await sendRequest(corin, account, kind, { path: 'temporary', ...words, ...form }, [await sentFile(corin)]);
    const { data, errors } = await approveAlone(portal, requestId);
    expect(errors).toBeUndefined();
    return data!.resources[0]!;
  };
  const free = (
    await portal.db.read.rows<{ resource: string }>(
      sql`select resource from pool where kind = 'ipv6' and state = 'available' and rests_until is null order by size, first limit 1`,
    )
  )[0]!.resource;
  const block = await ask('ipv6', { length: 48 });
  expect(block).toBe(free.replace(/\/\d+$/, '/48'));
  const number = await ask('asn', { multihomed: 'now', neighbours: [{ asn: 'AS64500', name: 'Upstream' }] });
  // The account still has no first block, and can request another one for an event.
  const { paths, room } = (await corin(api.requests.getEligibility, { account, kind: 'ipv6' })).data!;
  expect(paths.map(({ path, lengths }) => [path, lengths[0], lengths.at(-1)])).toEqual([
    ['lir', 32, 29],
    ['end-site', 48, 48],
    ['temporary', 48, 29],
  ]);
  expect(room).toContain('for own networks');
  await syncRegistryObjects(portal.db, portal.context.profile);
  const text = async (url: string): Promise<string> => (await portal.request(url)).text();
  for (const path of [`ip/${block}`, `autnum/${number.slice(2)}`])
    expect(JSON.parse(await text(`/rdap/${path}`))).toMatchObject({ name: account, status: ['active'] });
  const keys = await portal.db.read.rows(sql`select 1 from whois_object where key in (${block}, ${number.toLowerCase()})`);
  expect(keys).toHaveLength(2);
  const published = await text('/statistics/delegated-example-extended-latest');
  for (const record of [`ipv6|${block.replace('/48', '')}|48`, `asn|${number.slice(2)}|1`])
    expect(published).toMatch(new RegExp(`example\\|AU\\|${record.replaceAll('|', '\\|')}\\|\\d{8}\\|`));
  const run = (day: string): Promise<void> => endEventSpace(portal.db, new Date(`${day}T12:00:00Z`), portal.context.profile);
  await run(daysAfter(lasting.endsOn, -1));
  await run(daysAfter(lasting.endsOn, 1));
  const opened = (await corin(api.requests.listRequests, { account, query: { kind: 'return' } })).data!.rows;
  expect(opened.map(({ asked }) => asked).toSorted()).toEqual([`Return ${block}`, `Return ${number}`].toSorted());
  days = 61;
  for (const { requestId } of opened) expect(await approveByTwo(portal, requestId)).toMatchObject({ state: 'completed' });
  expect(
    await portal.db.read.rows(sql`select 1 from pool where resource in (${block}, ${number}) and rests_until is not null`),
  ).toHaveLength(2);
  expect(await portal.db.read.rows(sql`select 1 from delegation where purpose = 'temporary' and status <> 'closed'`)).toEqual([]);
});

test('a member may withdraw the return of event space until its last day, and not after it', async () => {
  await using portal = await testPortal();
  await portal.db.change(line, change => addDemoPools(change));
  const corin = await portal.as('corin');
  const event = await given(portal, lasting);
  const early = await sendRequest(corin, account, 'return', { resources: [event], reason: 'Over early', startsOn: today });
  expect((await corin(api.requests.getRequest, { account, requestId: early.requestId })).data!.returnDue).toBeNull();
  expect((await corin(api.requests.withdrawRequest, { account, requestId: early.requestId })).data).toMatchObject({ state: 'withdrawn' });
  const over = daysAfter(today, -1);
  await portal.db.change(line, async change => {
    await change.rows(sql`update delegation set ends_on = ${over}::date where resource = ${event} and status <> 'closed' returning 1`);
  });
  await endEventSpace(portal.db, new Date(), portal.context.profile);
  const [opened] = (await corin(api.requests.listRequests, { account, query: { kind: 'return', status: 'open' } })).data!.rows;
  const { requestId } = opened!;
  expect((await corin(api.requests.getRequest, { account, requestId })).data!.returnDue).toEqual({ resource: event, endedOn: over });
  expect((await corin(api.requests.withdrawRequest, { account, requestId })).errors).toMatchObject([
    { code: 'RETURN_DUE', message: expect.stringContaining(event) },
  ]);
  expect(await approveByTwo(portal, requestId)).toMatchObject({ state: 'completed' });
});

test('staff can set a later last day with a reason: the due return ends, the holder gets an e-mail, and the space stays', async () => {
  await using portal = await testPortal();
  await portal.db.change(line, change => addDemoPools(change));
  const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
  const event = await given(portal, lasting);
  const over = daysAfter(today, -1);
  await portal.db.change(line, async change => {
    await change.rows(sql`update delegation set ends_on = ${over}::date where resource = ${event} and status <> 'closed' returning 1`);
  });
  const run = (day: string): Promise<void> => endEventSpace(portal.db, new Date(`${day}T12:00:00Z`), portal.context.profile);
  await run(today);
  const listed = (await stella(api.eventSpace.listEventSpace, { accountName: account })).data!;
  expect(listed.rows).toMatchObject([
    { resource: event, endsOn: over, over: true, openReturn: { reference: expect.stringMatching(/^REQ-/) } },
  ]);
  const { delegationId, openReturn } = listed.rows[0]!;
  const extend = (until: string, endsOn = over, as = stella) =>
    as(api.eventSpace.extendEventSpace, { delegationId, body: { endsOn, until, reason: 'The congress goes on for a week.' } });
  const wrong: readonly [string, string][] = [
    [over, 'after'],
    [daysAfter(listed.latest, 1), 'isn’t lent for longer'],
  ];
  for (const [until, words] of wrong)
    expect((await extend(until)).errors).toMatchObject([{ code: 'INVALID_REQUEST', message: expect.stringContaining(words) }]);
  expect((await extend(daysAfter(today, 7), daysAfter(today, 3))).errors).toMatchObject([{ code: 'STALE' }]);
  expect((await extend(daysAfter(today, 7), over, corin)).errors).toMatchObject([{ code: 'NOT_FOUND' }]);
  const mails = async (): Promise<string[]> =>
    (await portal.mailsTo('corin@example-au.example')).map(({ subject }) => subject).filter(subject => subject.includes(event));
  const before = (await mails()).length;
  const until = daysAfter(today, 40);
  expect((await extend(until)).data!.rows).toMatchObject([{ resource: event, endsOn: until, over: false, openReturn: null }]);
  expect((await mails()).slice(before)).toEqual([expect.stringContaining(`${event} now ends on`)]);
  expect((await corin(api.requests.getRequest, { account, requestId: openReturn!.requestId })).data).toMatchObject({
    state: 'rejected',
    note: 'The congress goes on for a week.',
  });
  const { lines } = (await corin(api.activityLog.listActivities, { account, query: {} })).data!;
  expect(lines.map(({ action }) => action)).toContain('requests.eventSpace.extendEventSpace');
  // The return isn't reopened, and the holder is reminded before the new day.
  await run(daysAfter(today, 1));
  expect((await corin(api.requests.listRequests, { account, query: { kind: 'return', status: 'open' } })).data!.rows).toEqual([]);
  await run(daysAfter(until, -14));
  expect((await mails()).slice(before + 1)).toEqual([expect.stringContaining(`${event} ends on`)]);
  // A return that the member sent has to be decided first.
  await sendRequest(corin, account, 'return', { resources: [event], reason: 'Over early', startsOn: today });
  expect((await extend(daysAfter(until, 7), until)).errors).toMatchObject([
    { code: 'INVALID_REQUEST', message: expect.stringContaining('returns it early') },
  ]);
});
