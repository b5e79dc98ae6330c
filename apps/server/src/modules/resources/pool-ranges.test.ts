import { api } from '@portal/contract/api';
import { DAY_MS, dayIn, daysAfter, instantAfter } from '@portal/contract/days';
import { emptyForm, type RequestForm, type RequestKind } from '@portal/contract/requests/request-form';
import { listRanges, parseResource, printResource } from '@portal/number-resources';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { runRequestDeadlines } from '../requests/request-deadlines.ts';
import { delegate } from './delegations.ts';
import { addDemoPools } from './demo-pools.ts';
import { freeSpace, holdForRequest, restInPool } from './pools.ts';

type Person = Awaited<ReturnType<TestPortal['as']>>;
const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };
/** The day so many days from now, as the registry counts them. */
const day = (days: number): string => daysAfter(dayIn('Australia/Brisbane', new Date()), days);
const provider: Partial<RequestForm> = {
  path: 'lir',
  length: 24,
  providerSpace: '100.64.0.0/24',
  plan: [{ purpose: 'Access', amounts: [256, 380, 512] }],
  network: 'Two cities, one border router each.',
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

async function withPools(portal: TestPortal) {
  await portal.db.change(line, addDemoPools);
  return { stella: await portal.as('stella'), max: await portal.as('max') };
}
const free = async (portal: TestPortal): Promise<string[]> =>
  listRanges(await freeSpace(portal.db.read, 'ipv4'), 'ipv4').map(printResource);
const rangesOf = async (stella: Person, query: Record<string, unknown> = {}) =>
  (await stella(api.resourcePools.listPoolRanges, { kind: 'ipv4', query: { ...query } as never })).data!;

describe.each(kindsForRules)('ranges of pools on %s', kind => {
  test('a map of a pool shows what is around a block, cut at its ends, and to whom it is delegated', async () => {
    await using portal = await testPortal(kind);
    const { stella, max } = await withPools(portal);
    await portal.db.change(line, change => holdForRequest(change, parseResource('198.19.169.0/24'), 'REQ-77'));
    const mapOf = (resource: string, pool = 'ipv4') => stella(api.resourcePools.getPoolMap, { kind: pool, query: { resource } });
    const map = (await mapOf('198.19.171.0/24')).data!;
    expect(map).toMatchObject({ within: '198.19.128.0/18', sizeLog2: 14, more: 0 });
    const offsetOf = (third: number): string => String((third - 128) * 256);
    expect(map.blocks.find(({ resource }) => resource === '198.19.169.0/24')).toMatchObject({
      state: 'held',
      reference: 'REQ-77',
      offset: offsetOf(169),
      size: '256',
    });
    expect(map.blocks.find(({ offset }) => offset === offsetOf(171))).toMatchObject({ state: 'available', accountName: null });
    // Blocks follow one another and end with the map.
    for (const [place, { offset, size }] of map.blocks.entries())
      expect(BigInt(offset) + BigInt(size) <= BigInt(map.blocks[place + 1]?.offset ?? 2 ** map.sizeLog2), offset).toBe(true);
    const within = (await mapOf('198.18.9.0/29')).data!;
    expect(within).toMatchObject({
      within: '198.18.8.0/22',
      blocks: [{ resource: '198.18.0.0/19', offset: '0', size: '1024', state: 'delegated', accountName: 'EXAMPLE-AU' }],
    });
    expect((await mapOf('2001:db8::/32', 'ipv6')).data!.blocks.length).toBeGreaterThan(0);
    // Nothing of the registry is near it.
    expect((await mapOf('10.0.0.0/24')).data!).toEqual({ within: '10.0.0.0/24', sizeLog2: 8, blocks: [], more: 0 });
    for (const [resource, pool] of [
      ['2001:db8::/32', 'ipv4'],
      ['AS64500', 'ipv4'],
      ['nothing', 'ipv4'],
    ] as const)
      expect((await mapOf(resource, pool)).errors?.[0]?.code, resource).toBe('INVALID_REQUEST');
    expect((await mapOf('AS64500', 'asn')).errors?.[0]?.code).toBe('NOT_FOUND');
    expect((await max(api.resourcePools.getPoolMap, { kind: 'ipv4', query: { resource: '198.19.171.0/24' } })).status).toBe(404);
  });

  test('staff can read a pool by number, in pages, filtered by state, numbers and holder', async () => {
    await using portal = await testPortal(kind);
    const { stella } = await withPools(portal);
    await portal.db.change(line, async change => {
      await holdForRequest(change, parseResource('198.19.169.0/24'), 'REQ-77');
      await restInPool(change, parseResource('198.19.170.0/24'), '2030-01-02');
    });
    const all = await rangesOf(stella, { limit: 100 });
    expect(all.total).toBe(Object.values(all.counts).reduce((sum, count) => sum + count));
    expect(all.rows.find(({ resource }) => resource === '198.18.0.0/19')).toMatchObject({ state: 'delegated', accountName: 'EXAMPLE-AU' });
    expect(all.rows.find(({ resource }) => resource === '198.19.169.0/24')).toMatchObject({ state: 'held', reference: 'REQ-77' });
    expect(all.rows.find(({ resource }) => resource === '198.19.170.0/24')).toMatchObject({ state: 'quarantine', until: '2030-01-02' });
    expect(all.rows.find(({ resource }) => resource === '198.19.168.0/24')).toMatchObject({ state: 'reserved', until: null, reason: null });
    const pages = [await rangesOf(stella, { limit: 4 }), await rangesOf(stella, { limit: 4, offset: 4 })];
    expect(pages.flatMap(({ rows }) => rows)).toEqual(all.rows.slice(0, 8));
    expect((await rangesOf(stella, { state: 'reserved' })).rows.map(({ resource }) => resource)).toEqual(['198.19.168.0/24']);
    expect((await rangesOf(stella, { q: '198.19.168.0/23' })).rows.map(({ resource }) => resource)).toEqual([
      '198.19.168.0/24',
      '198.19.169.0/24',
    ]);
    const ofAccount = await rangesOf(stella, { q: 'example-au' });
    expect(new Set(ofAccount.rows.map(({ accountName }) => accountName))).toEqual(new Set(['EXAMPLE-AU']));
    expect((await rangesOf(stella, { q: 'AS1' })).rows).toEqual([]);
    expect(await stella(api.resourcePools.listPoolRanges, { kind: 'ipx', query: {} })).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] });
  });

  test('a reserved range can’t be delegated in any way, and is free again once released or its day comes', async () => {
    await using portal = await testPortal(kind, { ROBOT_HOSTMASTER: 'yes' });
    const { stella, max } = await withPools(portal);
    const before = await free(portal);
    for (const resource of ['198.19.128.0/19', '198.19.160.0/21', '198.19.171.0/24', '198.19.176.0/22'])
      expect(
        await stella(api.resourcePools.reserveRange, { body: { resource, reason: 'For the next exchange', until: day(30) } }),
      ).toMatchObject({ data: { resource, until: day(30) } });
    const part = '198.19.169.0/24';
    await stella(api.resourcePools.reserveRange, { body: { resource: part, reason: 'For the root server', until: null } });
    expect((await rangesOf(stella, { state: 'reserved', q: 'root server' })).rows).toMatchObject([{ resource: part, until: null }]);

    // The robot doesn't choose it, staff can’t pick it, and nothing else can delegate it.
    const request = await send(max, 'CORAL-KI', 'ipv4', provider);
    expect(request.state).toBe('submitted');
    const { version } = (await stella(api.requestDesk.reviewRequest, { requestId: request.requestId })).data!;
    expect((await stella(api.requestDesk.getStaffRequest, { requestId: request.requestId })).data!.proposed).toBeNull();
    const approve = (resource: string) =>
      stella(api.requestDesk.approveRequest, { requestId: request.requestId, body: { version, note: '', resource } });
    expect(await approve('')).toMatchObject({ errors: [{ code: 'POOL_EXHAUSTED' }] });
    expect(await approve(part)).toMatchObject({ errors: [{ code: 'INVALID_REQUEST' }] });
    await expect(
      portal.db.change(line, change =>
        delegate(change, { resource: part, accountName: 'CORAL-KI', type: 'allocated' }, portal.context.profile),
      ),
    ).rejects.toThrow(/198.19.169.0\/24 is reserved/);

    expect(await stella(api.resourcePools.releaseRange, { body: { resource: part, reason: 'It moved' } })).toMatchObject({
      data: { resource: part },
    });
    expect(await free(portal)).toEqual([part]);
    expect(await approve(part)).toMatchObject({ data: { state: 'completed', resources: [part] } });
    await runRequestDeadlines(portal.db, new Date(instantAfter(new Date(), 29 * DAY_MS)), portal.context.profile);
    expect(await free(portal)).toEqual([]);
    await runRequestDeadlines(portal.db, new Date(instantAfter(new Date(), 31 * DAY_MS)), portal.context.profile);
    expect(await free(portal)).toEqual(before.filter(range => range !== part));
  });

  test('after releasing a part of a reserved range, the rest keeps its reason and its day', async () => {
    await using portal = await testPortal(kind);
    const { stella } = await withPools(portal);
    await stella(api.resourcePools.reserveRange, { body: { resource: '198.19.176.0/22', reason: 'Research', until: day(90) } });
    await stella(api.resourcePools.releaseRange, { body: { resource: '198.19.177.0/24', reason: 'Not needed' } });
    expect((await rangesOf(stella, { q: '198.19.176.0/22' })).rows.map(({ resource, state, reason }) => [resource, state, reason])).toEqual(
      [
        ['198.19.176.0/24', 'reserved', 'Research'],
        ['198.19.177.0/24', 'available', null],
        ['198.19.178.0/23', 'reserved', 'Research'],
      ],
    );
  });

  test('a quarantine can be extended, shortened and ended with a reason, and the space is merged again', async () => {
    await using portal = await testPortal(kind);
    const { stella } = await withPools(portal);
    await portal.db.change(line, change => restInPool(change, parseResource('198.19.170.0/24'), day(100)));
    const set = (until: string | null, resource = '198.19.170.0/24') =>
      stella(api.resourcePools.setQuarantine, { body: { resource, reason: 'Still announced', until } });
    expect(await set(day(200))).toMatchObject({ data: { until: day(200) } });
    expect((await rangesOf(stella, { state: 'quarantine' })).rows).toMatchObject([{ until: day(200), reason: 'Still announced' }]);
    await runRequestDeadlines(portal.db, new Date(instantAfter(new Date(), 150 * DAY_MS)), portal.context.profile);
    expect((await rangesOf(stella, { state: 'quarantine' })).total).toBe(1);
    expect(await set(day(-1))).toMatchObject({ status: 400, errors: [{ code: 'INVALID_REQUEST', field: 'until' }] });
    expect(await set(null, '198.19.169.0/24')).toMatchObject({
      errors: [{ code: 'RANGE_STATE', message: '198.19.169.0/24 isn’t in quarantine: 198.19.169.0/24 is free' }],
    });
    expect(await set(null)).toMatchObject({ data: { until: null } });
    // Joined with its free neighbours on both sides.
    expect(await free(portal)).toContain('198.19.169.0 - 198.19.171.255');
  });

  test('only free numbers can be reserved: not delegated, held, reserved, quarantined, unknown or invalid ones, or with a past day', async () => {
    await using portal = await testPortal(kind);
    const { stella } = await withPools(portal);
    await portal.db.change(line, async change => {
      await holdForRequest(change, parseResource('198.19.169.0/24'), 'REQ-77');
      await restInPool(change, parseResource('198.19.170.0/24'), '2030-01-02');
    });
    const reserve = async (resource: string, until: string | null = null) =>
      (await stella(api.resourcePools.reserveRange, { body: { resource, reason: 'Research', until } })).errors!.map(
        ({ code, message }) => `${code}: ${message}`,
      )[0];
    expect(await reserve('198.18.0.0/19')).toBe('RANGE_STATE: 198.18.0.0/19 isn’t free: 198.18.0.0/19 is delegated to EXAMPLE-AU');
    expect(await reserve('198.19.169.0/24')).toBe('RANGE_STATE: 198.19.169.0/24 isn’t free: 198.19.169.0/24 is held for REQ-77');
    expect(await reserve('198.19.170.0/24')).toBe(
      'RANGE_STATE: 198.19.170.0/24 isn’t free: 198.19.170.0/24 is in quarantine until 2030-01-02',
    );
    expect(await reserve('198.19.160.0/20')).toBe('RANGE_STATE: 198.19.160.0/20 isn’t free: 198.19.168.0/24 is reserved');
    expect(await reserve('198.51.100.0/29')).toMatch(/^RANGE_STATE: /);
    expect(await reserve('no numbers')).toMatch(/^INVALID_REQUEST: /);
    expect(await reserve('198.19.128.0/24', day(0))).toMatch(/^INVALID_REQUEST: Enter a day after/);
    expect(await stella(api.resourcePools.releaseRange, { body: { resource: '198.19.169.0/24', reason: 'Free it' } })).toMatchObject({
      errors: [{ code: 'RANGE_STATE', message: '198.19.169.0/24 isn’t reserved: 198.19.169.0/24 is held for REQ-77' }],
    });
  });

  test('every change of a range is a line of the activity log with its reason', async () => {
    await using portal = await testPortal(kind);
    const { stella } = await withPools(portal);
    await stella(api.resourcePools.reserveRange, { body: { resource: 'AS65540 - AS65543', reason: 'Anycast', until: null } });
    await stella(api.resourcePools.releaseRange, { body: { resource: 'AS65541', reason: 'Given up' } });
    const lines = await portal.db.read.rows<{ action: string; details: Record<string, unknown> }>(
      sql`select action, details from activity where action like 'resources.pools.%' order by activity_id`,
    );
    expect(lines).toMatchObject([
      { action: 'resources.pools.reserveRange', details: { resource: 'AS65540 - AS65543', reason: 'Anycast' } },
      { action: 'resources.pools.releaseRange', details: { resource: 'AS65541', reason: 'Given up', was: 'Anycast' } },
    ]);
  });
});
