import { api } from '@portal/contract/api';
import { DAY_MS, instantBefore, MINUTE_MS } from '@portal/contract/days';
import { emptyForm, type RequestForm, type RequestKind } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../../../test/portal.ts';
import { dueBy, lateBefore } from './staff-request.ts';
import { addDemoPools } from '../resources/demo-pools.ts';

type Person = Awaited<ReturnType<TestPortal['as']>>;
const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };
const network = 'Two cities, one border router each.';
const provider: Partial<RequestForm> = {
  path: 'lir',
  length: 24,
  providerSpace: '100.64.0.0/24',
  plan: [{ purpose: 'Access', amounts: [256, 380, 512] }],
  network,
};

async function send(person: Person, account: string, kind: RequestKind, form: Partial<RequestForm>) {
  const { requestId, version } = (await person(api.requests.startRequest, { account, body: { kind } })).data!;
  const saved = await person(api.requests.saveRequest, {
    account,
    requestId,
    body: { version, form: { ...emptyForm, ...form }, documentIds: [] },
  });
  return (await person(api.requests.submitRequest, { account, requestId, body: { version: saved.data!.version, truthful: true } })).data!;
}

test('both parties see the place in the queue, the median answer time of 30 days, and who acts next', async () => {
  await using portal = await testPortal();
  const [corin, olive, max] = [await portal.as('corin'), await portal.as('olive'), await portal.as('max')];
  const before = (days: number): string => instantBefore(new Date(), days * DAY_MS);
  // Decided within 7, 14 and 21 days: the median is ten working days. One of 40 days ago does not count.
  await portal.db.change(line, async change => {
    const [staff] = await change.rows<{ loginId: string }>(sql`select login_id from login where username = 'stella'`);
    for (const [resolved, days] of [
      [1, 7],
      [2, 14],
      [3, 21],
      [40, 1],
    ] as const)
      await change.rows(sql`insert into resource_request (account_name, kind, state, form, requested_by, started_at, submitted_at, since, resolved_at)
        values ('DELTA-VN', 'return', 'rejected', '{}', ${staff!.loginId}, ${before(resolved + days)}, ${before(resolved + days)}, ${before(resolved)}, ${before(resolved)})`);
  });
  const first = await send(max, 'CORAL-KI', 'ipv4', provider);
  expect(first).toMatchObject({ state: 'submitted', place: 1, nextMove: 'registry' });
  const transfer = await send(corin, 'EXAMPLE-AU', 'transfer', { resources: ['AS65538'], recipient: 'OTHER-SG', reason: 'Sold' });
  expect(transfer).toMatchObject({ state: 'offered', place: null, nextMove: 'other-party' });
  const { requestId } = transfer;
  const seen = async (person: Person, account: string) => {
    const { rows, queue } = (await person(api.requests.listRequests, { account, query: { kind: 'transfer' } })).data!;
    const { place, nextMove } = rows.find(row => row.requestId === requestId)!;
    return { place, nextMove, queue };
  };
  const queue = { waiting: 1, inReview: 0, medianDays: 10, answerDays: [5, 10, 15] };
  expect(await seen(olive, 'OTHER-SG')).toEqual({ place: null, nextMove: 'you', queue });
  const waiting = async (person: Person, account: string) =>
    (await person(api.home.getHome, { account })).data!.attention!.flatMap(
      ({ attentionId }) => /^(?:transfer|request)-.*/.exec(attentionId) ?? [],
    );
  expect(await waiting(olive, 'OTHER-SG')).toEqual([`transfer-offer-${requestId}`]);
  expect(await waiting(corin, 'EXAMPLE-AU')).not.toContain(`transfer-offer-${requestId}`);
  const { version } = (await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId })).data!;
  await olive(api.requests.acknowledgeTransfer, {
    account: 'OTHER-SG',
    requestId,
    body: { version, form: emptyForm, documentIds: [], truthful: true },
  });
  for (const [person, account] of [
    [corin, 'EXAMPLE-AU'],
    [olive, 'OTHER-SG'],
  ] as const)
    expect(await seen(person, account)).toEqual({ place: 2, nextMove: 'registry', queue: { ...queue, waiting: 2 } });
  expect((await corin(api.requests.getEligibility, { account: 'LABNET-AU', kind: 'ipv4' })).data!.queue).toEqual({ ...queue, waiting: 2 });
});

test('the robot hostmaster approves what policy allows outright, logged as decided by the rules, and leaves the rest to people', async () => {
  await using portal = await testPortal(undefined, { ROBOT_HOSTMASTER: 'yes' });
  await portal.db.change(line, change => addDemoPools(change));
  const [max, stella] = [await portal.as('max'), await portal.as('stella')];
  const given = await send(max, 'CORAL-KI', 'ipv4', provider);
  expect(given).toMatchObject({ state: 'completed', resources: ['198.19.169.0/24'] });
  expect((await stella(api.requestDesk.getStaffRequest, { requestId: given.requestId })).data).toMatchObject({
    byRobot: true,
    decidedBy: null,
  });
  // A plan that doesn't meet the criteria is reviewed by a person, and so is every change of holder.
  const looked = await send(max, 'DELTA-VN', 'ipv4', { ...provider, plan: [{ purpose: 'Access', amounts: [256, 380, 511] }] });
  expect(looked).toMatchObject({ state: 'submitted' });
  const back = await send(max, 'BEACON-BD', 'return', { resources: ['AS64511'], reason: 'Not used', startsOn: '2026-11-01' });
  expect(back).toMatchObject({ state: 'submitted' });
});

test('the desk marks and finds cases that wait longer than promised, not counting weekends', async () => {
  await using portal = await testPortal();
  await portal.db.change(line, change => addDemoPools(change));
  const [max, stella] = [await portal.as('max'), await portal.as('stella')];
  const { requestId } = await send(max, 'CORAL-KI', 'ipv4', provider);
  const promised = portal.context.profile.requestPolicy.promiseHours;
  const waiting = async (since: string, state = 'submitted') => {
    await portal.db.change(line, change =>
      change.rows(sql`update resource_request set submitted_at = ${since}::timestamptz, since = ${since}::timestamptz, state = ${state}
        where resource_request_id = ${requestId} returning 1`),
    );
    const list = async (late: 'any' | 'only') => (await stella(api.desk.listRequests, { query: { late } })).data!;
    const [all, only] = await Promise.all([list('any'), list('only')]);
    const { late } = all.rows.find(row => row.kind === 'resources' && row.requestId === requestId)!;
    const inside = (await stella(api.requestDesk.getStaffRequest, { requestId })).data!.late;
    expect([only.rows.some(row => row.kind === 'resources' && row.requestId === requestId), inside]).toEqual([late, late]);
    expect(only.total).toBe(all.late);
    return late;
  };
  const edge = Date.parse(lateBefore(portal.context.clock(), promised));
  expect(await waiting(new Date(edge + MINUTE_MS).toISOString())).toBe(false);
  expect(await waiting(new Date(edge - MINUTE_MS).toISOString())).toBe(true);
  // A case that waits for its member is never late.
  expect(await waiting(new Date(edge - 30 * DAY_MS).toISOString(), 'needs-info')).toBe(false);
});

test.each([
  ['a Thursday', '2026-11-26T09:00:00Z', '2026-11-24T09:00:00.000Z'],
  ['a Monday morning, over the weekend', '2026-11-23T09:00:00Z', '2026-11-19T09:00:00.000Z'],
  ['a Sunday, as of Friday midnight', '2026-11-22T18:00:00Z', '2026-11-19T00:00:00.000Z'],
])('two working days before %s', (_, now, since) => {
  expect(lateBefore(new Date(now), 16)).toBe(since);
});

test.each([
  ['a Tuesday', '2026-11-24T09:00:00Z', '2026-11-26T09:00:00.000Z'],
  ['a Thursday, over the weekend', '2026-11-19T09:00:00Z', '2026-11-23T09:00:00.000Z'],
  ['a Saturday, as of Monday', '2026-11-21T18:00:00Z', '2026-11-25T00:00:00.000Z'],
])('two working days from %s on', (_, since, due) => {
  expect(dueBy(since, 16)).toBe(due);
});

test('a case is late exactly when its due time has passed, at any hour of a fortnight', () => {
  const begin = Date.parse('2026-11-16T00:30:00Z');
  for (let hours = 0; hours < 14 * 24; hours += 5) {
    const since = new Date(begin + hours * 60 * MINUTE_MS).toISOString();
    const due = Date.parse(dueBy(since, 16));
    expect([since, lateBefore(new Date(due - MINUTE_MS), 16) < since]).toEqual([since, true]);
    expect([since, since < lateBefore(new Date(due + 3 * DAY_MS), 16)]).toEqual([since, true]);
  }
});

test('the queue shows reviewer and due time of each case, and sorts and filters by both', async () => {
  await using portal = await testPortal();
  const [max, corin, stella, stan] = [await portal.as('max'), await portal.as('corin'), await portal.as('stella'), await portal.as('stan')];
  const back = (resource: string) => ({ resources: [resource], reason: 'Closed', startsOn: '2026-11-01' });
  const [first, second] = [
    await send(corin, 'EXAMPLE-AU', 'return', back('198.18.64.0/24')),
    await send(corin, 'EXAMPLE-AU', 'return', back('198.18.65.0/24')),
  ];
  const third = await send(max, 'CORAL-KI', 'ipv4', provider);
  await stella(api.requestDesk.reviewRequest, { requestId: second.requestId });
  await stella(api.requestDesk.reviewRequest, { requestId: third.requestId });
  await stan(api.requestDesk.reviewRequest, { requestId: third.requestId });
  await stella(api.requestDesk.askAboutRequest, { requestId: second.requestId, body: { question: 'All of it?' } });
  // The third was sent last but has waited longest.
  const since = instantBefore(new Date(), 5 * DAY_MS);
  await portal.db.change(line, change =>
    change.rows(
      sql`update resource_request set since = ${since}, submitted_at = ${since} where resource_request_id = ${Number(third.requestId)}`,
    ),
  );
  const mine = [first.reference, second.reference, third.reference];
  const list = async (query: object, who = stella) => {
    const { rows } = (await who(api.desk.listRequests, { query })).data!;
    return rows.filter(({ reference }) => reference !== null && mine.includes(reference));
  };
  const names = async (query: object, who = stella) => (await list(query, who)).map(({ reference }) => mine.indexOf(reference!));
  expect((await list({})).map(({ reference, handler, dueAt }) => [mine.indexOf(reference!), handler, dueAt !== null])).toEqual([
    [2, 'Stan Petrov', true],
    [0, null, true],
    [1, 'Stella Kowalski', false],
  ]);
  expect((await list({})).find(({ reference }) => reference === third.reference)!.dueAt).toBe(
    dueBy(since, portal.context.profile.requestPolicy.promiseHours),
  );
  expect(await names({ sort: 'due' })).toEqual([2, 0, 1]);
  expect(await names({ sort: 'due', direction: 'desc' })).toEqual([0, 2, 1]);
  expect(await names({ sort: 'handler' })).toEqual([2, 1, 0]);
  expect(await names({ sort: 'handler', direction: 'desc' })).toEqual([1, 2, 0]);
  expect(await names({ sort: 'at', direction: 'desc' })).toEqual([1, 0, 2]);
  expect(await names({ handler: 'mine' })).toEqual([1]);
  expect(await names({ handler: 'mine' }, stan)).toEqual([2]);
  expect(await names({ handler: 'none' })).toEqual([0]);
  expect(await names({ q: 'petrov' })).toEqual([2]);
});

test('a case that waits for a second person is not free to take, and says to whom it belongs now; each choice of a filter is counted', async () => {
  await using portal = await testPortal();
  const [max, corin, stella, stan, audra] = [
    await portal.as('max'),
    await portal.as('corin'),
    await portal.as('stella'),
    await portal.as('stan'),
    await portal.as('audra'),
  ];
  const back = await send(corin, 'EXAMPLE-AU', 'return', { resources: ['198.18.64.0/24'], reason: 'Closed', startsOn: '2026-11-01' });
  const asked = await send(max, 'CORAL-KI', 'ipv4', provider);
  const { version } = (await stella(api.requestDesk.getStaffRequest, { requestId: back.requestId })).data!;
  const list = async (who: Person, query: object = {}) => (await who(api.desk.listRequests, { query: { limit: 100, ...query } })).data!;
  const free = (await list(stella)).counts.handlers.none;
  const proposed = await stella(api.requestDesk.approveRequest, { requestId: back.requestId, body: { version, note: '', resource: '' } });
  expect(proposed.errors?.[0]?.code).toBe('SECOND_PERSON');
  const secondOf = async (who: Person) => (await list(who)).rows.find(({ reference }) => reference === back.reference)!.second;
  expect(await secondOf(stella)).toEqual({ proposedBy: 'Stella Kowalski', isMine: true, mayConfirm: false });
  expect(await secondOf(stan)).toEqual({ proposedBy: 'Stella Kowalski', isMine: false, mayConfirm: true });
  // An auditor reads, and confirms nothing.
  expect(await secondOf(audra)).toMatchObject({ mayConfirm: false });
  const { counts } = await list(stella);
  expect(counts.handlers).toMatchObject({ none: free - 1, second: 1 });
  const references = async (query: object) => (await list(stella, query)).rows.map(({ reference }) => reference);
  expect(await references({ handler: 'second' })).toEqual([back.reference]);
  expect(await references({ handler: 'none' })).toContain(asked.reference);
  expect(await references({ handler: 'none' })).not.toContain(back.reference);
  // Every choice shows as many as it says.
  for (const [name, choices] of [
    ['kind', counts.kinds],
    ['status', counts.states],
    ['handler', counts.handlers],
  ] as const)
    for (const [choice, count] of Object.entries(choices))
      expect([name, choice, (await list(stella, choice === 'all' ? {} : { [name]: choice })).total]).toEqual([name, choice, count]);
  for (const [age, count] of Object.entries(counts.ages))
    expect([age, (await list(stella, age === 'late' ? { late: 'only' } : { days: age })).total]).toEqual([age, count]);
  const { cases } = (await stan(api.deskHome.getDeskHome, {})).data!;
  expect(cases).toMatchObject({ free: counts.handlers.none, toConfirm: 1 });
  expect(cases!.rows.find(({ reference }) => reference === back.reference)!.second).toMatchObject({ mayConfirm: true });
  const { case: beside } = (await stan(api.staffCases.getCase, { kind: 'transfers', caseId: back.requestId })).data!;
  expect(beside.second).toMatchObject({ proposedBy: 'Stella Kowalski', mayConfirm: true });
});

test('a late case that is taken into review stays late, and loses no place to one that came after it', async () => {
  await using portal = await testPortal();
  const [max, corin, stella] = [await portal.as('max'), await portal.as('corin'), await portal.as('stella')];
  const early = await send(max, 'CORAL-KI', 'ipv4', provider);
  const since = instantBefore(new Date(), 9 * DAY_MS);
  await portal.db.change(line, change =>
    change.rows(
      sql`update resource_request set since = ${since}, submitted_at = ${since} where resource_request_id = ${Number(early.requestId)}`,
    ),
  );
  await send(corin, 'EXAMPLE-AU', 'return', { resources: ['198.18.64.0/24'], reason: 'Closed', startsOn: '2026-11-01' });
  const read = async () => {
    const { late, dueAt } = (await stella(api.requestDesk.getStaffRequest, { requestId: early.requestId })).data!;
    return { late, dueAt, place: (await max(api.requests.getRequest, { account: 'CORAL-KI', requestId: early.requestId })).data!.place };
  };
  const before = await read();
  expect(before.late).toBe(true);
  await stella(api.requestDesk.reviewRequest, { requestId: early.requestId });
  expect(await read()).toEqual(before);
  // An answered question begins anew: the registry waited for the member.
  await stella(api.requestDesk.askAboutRequest, { requestId: early.requestId, body: { question: 'How many?' } });
  const { version } = (await max(api.requests.getRequest, { account: 'CORAL-KI', requestId: early.requestId })).data!;
  await max(api.requests.answerRequest, { account: 'CORAL-KI', requestId: early.requestId, body: { version, answer: 'Two' } });
  expect((await read()).late).toBe(false);
});
