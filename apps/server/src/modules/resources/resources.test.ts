import type { AnswerOf } from '@portal/contract';
import { api } from '@portal/contract/api';
import type { resources } from '@portal/contract/resources/resources';
import { parseResource } from '@portal/number-resources';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { anyNumbers } from '../../../test/any-numbers.ts';
import { demoDatabase, kindsForRules, testPortal } from '../../../test/portal.ts';
import { portalToRead } from '../../../test/portal-to-read.ts';
import { assign, type NewAssignment } from './assignments.ts';
import { closeDelegation, delegate, findDelegationHolding, type NewDelegation } from './delegations.ts';
import { columnsOf } from './ledger-columns.ts';
import { addPools } from './pools.ts';

const account = 'EXAMPLE-AU';
const activity = { action: 'test.prepare', summary: 'Delegated for a test', traceId: '0'.repeat(32) };
const given = (resource: string, more: Partial<NewDelegation> = {}): NewDelegation => ({
  resource,
  accountName: account,
  type: 'allocated',
  ...more,
});
const below = (resource: string, more: Partial<NewAssignment> = {}): NewAssignment => ({
  accountName: account,
  resource,
  type: 'assigned',
  netname: 'NEW-NET',
  visibility: 'public',
  ...more,
});
const texts = (rows: readonly { resource: string }[]): string[] => rows.map(({ resource }) => resource);

describe.each(kindsForRules)('the ledger on %s', kind => {
  async function ledger() {
    const { db, drop } = await demoDatabase(kind);
    return {
      db,
      delegate: (...all: NewDelegation[]) =>
        db.change(activity, async change => {
          const ids: string[] = [];
          for (const one of all) ids.push(await delegate(change, one, anyNumbers));
          return ids;
        }),
      assign: (one: NewAssignment) => db.change(activity, change => assign(change, one)),
      levels: async () =>
        (
          await db.read.rows<{ resource: string; level: number }>(sql`
            select resource, level from assignment where account_name = ${account} and first >= '198.18.24.0' and last <= '198.18.31.255' order by first, level`)
        ).map(({ resource, level }) => `${level} ${resource}`),
      async [Symbol.asyncDispose]() {
        await db.close();
        await drop();
      },
    };
  }

  test('nothing is delegated twice: not the same range, a part, or a partial overlap', async () => {
    await using it = await ledger();
    for (const resource of [
      '198.18.0.0/19',
      '198.18.4.0/24',
      '198.18.0.0/16',
      '198.18.66.0/23',
      '2001:db8:1::/48',
      'AS65538 - AS65540',
      'AS64500',
    ])
      await expect(it.delegate(given(resource)), resource).rejects.toMatchObject({
        code: 'DELEGATION_OVERLAPS',
        message: `${resource} overlaps an active delegation`,
      });
    await it.delegate(given('198.18.67.0/24'), given('AS65539'), given('198.18.68.0 - 198.18.70.255'));
  });

  test('the database itself refuses an overlap, and closed delegations are no obstacle', async () => {
    await using it = await ledger();
    const again = sql`insert into delegation (kind, first, last, resource, size, type, account_name, registry)
      values ('ipv4', '198.18.4.0', '198.18.4.255', '198.18.4.0/24', 256, 'assigned', ${account}, '')`;
    await expect(it.db.change(activity, change => change.rows(again))).rejects.toMatchObject({
      code: '23P01',
      constraint: 'delegation_addresses_once',
    });
    const [id = ''] = await it.delegate(given('198.18.67.0/24'));
    await it.db.change(activity, change => closeDelegation(change, id));
    await it.delegate(given('198.18.67.0/25'));
    await expect(it.db.change(activity, change => closeDelegation(change, id))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('the database itself refuses numbers without both ends', async () => {
    await using it = await ledger();
    for (const [kind, ends, resource] of [
      ['ipv4', sql`'198.18.72.0'::inet, null, null::bigint, null::bigint`, '198.18.72.0/24'],
      ['ipv6', sql`null::inet, '2001:db8:72::'::inet, null::bigint, null::bigint`, '2001:db8:72::/48'],
      ['asn', sql`null::inet, null::inet, 65550::bigint, null::bigint`, 'AS65550'],
    ] as const) {
      const half = sql`insert into delegation (kind, first, last, first_as, last_as, resource, size, type, account_name, registry)
        select ${kind}, ${ends}, ${resource}, 1, 'assigned', ${account}, ''`;
      await expect(it.db.change(activity, change => change.rows(half))).rejects.toMatchObject({
        code: '23514',
        constraint: 'delegation_ends',
      });
    }
  });

  test('of two concurrent delegations of the same block one succeeds, the other is refused', async () => {
    await using it = await ledger();
    const outcomes = await Promise.allSettled([
      it.delegate(given('198.18.72.0/23')),
      it.delegate(given('198.18.73.0/24', { accountName: 'OTHER-SG' })),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(outcome => outcome.status === 'rejected')?.reason).toMatchObject({ code: 'DELEGATION_OVERLAPS' });
  });

  test('a delegation leaves the available pool, the rest stays, and reserved space can’t be delegated', async () => {
    await using it = await ledger();
    const pool = { registry: '', economyText: '', dateText: '', extensions: null };
    await it.db.change(activity, change =>
      addPools(change, [
        { ...columnsOf(parseResource('198.18.96.0/22')), ...pool, state: 'available' },
        { ...columnsOf(parseResource('198.18.100.0/22')), ...pool, state: 'reserved' },
        { ...columnsOf(parseResource('AS65540 - AS65549')), ...pool, state: 'available' },
      ]),
    );
    await it.delegate(given('198.18.97.0/24'), given('AS65542'));
    const left = await it.db.read.rows<{ resource: string }>(sql`select resource from pool order by first, first_as`);
    expect(texts(left)).toEqual(['198.18.96.0/24', '198.18.98.0/23', '198.18.100.0/22', 'AS65540 - AS65541', 'AS65543 - AS65549']);
    await expect(it.delegate(given('198.18.99.0 - 198.18.100.255'))).rejects.toMatchObject({
      message: 'The request isn’t valid: 198.18.99.0 - 198.18.100.255 is not available: 198.18.100.0/22 is reserved',
    });
    const inPool = { ...columnsOf(parseResource('198.18.97.0/25')), ...pool, state: 'available' as const };
    await expect(it.db.change(activity, change => addPools(change, [inPool]))).rejects.toMatchObject({
      code: '23P01',
      constraint: 'delegation_not_in_pool',
    });
  });

  test('an IPv6 assignment is at least a network, and a customer can’t sub-allocate further', async () => {
    await using it = await ledger();
    await expect(it.assign(below('2001:db8:9000::/65'))).rejects.toMatchObject({ message: expect.stringContaining('smaller than a /64') });
    await it.assign(below('2001:db8:9000::/64'));
    await it.assign(below('198.18.28.0/24', { type: 'allocated' }));
    const nested = { message: expect.stringContaining('takes assignments only') };
    await expect(it.assign(below('198.18.28.0/25', { type: 'allocated' }))).rejects.toMatchObject(nested);
    await expect(it.assign(below('198.18.28.0/23', { type: 'allocated' }))).rejects.toMatchObject(nested);
    await it.assign(below('198.18.28.0/25'));
  });

  test('unparsable text, or IPv6 that isn’t a prefix, is refused with an explanation', async () => {
    await using it = await ledger();
    await expect(it.delegate(given('198.18.67.1/24'))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('did you mean 198.18.67.0/24?'),
    });
    await expect(it.delegate(given('3fff:: - 3fff::2'))).rejects.toMatchObject({
      message: expect.stringContaining('IPv6 is delegated by prefix'),
    });
  });

  test('the holder of a prefix, address or AS number is found; a range without a single holder finds none', async () => {
    await using it = await ledger();
    const holder = async (text: string) => (await findDelegationHolding(it.db.read, parseResource(text)))?.accountName ?? null;
    expect(await holder('198.18.66.255')).toBe('EXAMPLE-AU');
    expect(await holder('198.18.67.0')).toBeNull();
    expect(await holder('198.18.64.0/22')).toBeNull();
    expect(await holder('3fff:200:ffff::/48')).toBe('OTHER-SG');
    expect(await holder('AS64505')).toBe('NATREG-XX');
    expect(await holder('AS64504 - AS64510')).toBeNull();
  });

  test('an assignment is disjoint from others, inside a sub-allocation, or around others if it is one', async () => {
    await using it = await ledger();
    expect(await it.levels()).toEqual(['0 198.18.24.0/24', '1 198.18.24.0/26', '1 198.18.24.128/26', '0 198.18.30.0/24']);
    await it.assign(below('198.18.24.64/26'));
    // A customer's sub-allocation can contain only assignments, and can't lie in one.
    for (const nested of ['198.18.24.0/25', '198.18.24.0/23'])
      await expect(it.assign(below(nested, { type: 'allocated' })), nested).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await it.assign(below('198.18.30.0/23', { type: 'allocated' }));
    expect(await it.levels()).toEqual([
      '0 198.18.24.0/24',
      '1 198.18.24.0/26',
      '1 198.18.24.64/26',
      '1 198.18.24.128/26',
      '0 198.18.30.0/23',
      '1 198.18.30.0/24',
    ]);
  });

  test('an overlapping assignment is refused, naming the other', async () => {
    await using it = await ledger();
    for (const [resource, other, what] of [
      ['198.18.30.0/24', '198.18.30.0/24', 'what is registered already'],
      ['198.18.30.128/25', '198.18.30.0/24', 'a part of what a customer uses alone'],
      ['198.18.30.0/23', '198.18.30.0/24', 'around others without being a sub-allocation'],
      ['198.18.24.32 - 198.18.24.95', '198.18.24.0/26', 'across the edge of another'],
      ['198.18.23.128 - 198.18.24.127', '198.18.16.0/21', 'across two'],
    ] as const)
      await expect(it.assign(below(resource)), what).rejects.toMatchObject({
        code: 'ASSIGNMENT_OVERLAPS',
        message: `${resource} overlaps the assignment ${other}`,
      });
  });

  test('an assignment outside the allocations of the account is refused', async () => {
    await using it = await ledger();
    for (const resource of ['198.18.32.0/24', '198.18.31.0 - 198.18.32.255', '203.0.113.0/25', '198.51.100.128/25'])
      await expect(it.assign(below(resource)), resource).rejects.toMatchObject({
        code: 'ASSIGNMENT_OUTSIDE',
        message: `${resource} isn’t inside an allocation of this account`,
      });
  });

  test('of two concurrent registrations of overlapping networks one succeeds, the other is refused', async () => {
    await using it = await ledger();
    const outcomes = await Promise.allSettled([it.assign(below('198.18.26.0/24')), it.assign(below('198.18.26.128/25'))]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(outcome => outcome.status === 'rejected')?.reason).toMatchObject({ code: 'ASSIGNMENT_OVERLAPS' });
  });

  test('closing a delegation closes the registrations below it', async () => {
    await using it = await ledger();
    const { delegationId = '' } = (await findDelegationHolding(it.db.read, parseResource('198.18.64.0'))) ?? {};
    await it.db.change(activity, change => closeDelegation(change, delegationId));
    expect(await it.db.read.rows(sql`select from assignment where resource = '198.18.64.0/23'`)).toEqual([]);
    expect(await it.db.read.rows(sql`select from row_change where table_name = 'assignment' and operation = 'DELETE'`)).toHaveLength(1);
  });
});

type Listed = AnswerOf<typeof resources.listDelegations>;

describe.each(kindsForRules)('the resource pages on %s', kind => {
  const registry = portalToRead(kind);

  test('a member sees what the account holds, and nothing is counted twice', async () => {
    const portal = registry();
    const { data } = await (await portal.as('tess'))(api.resources.getSummary, { account });
    expect(data?.totals).toEqual([
      { kind: 'ipv4', delegations: 3, size: '9216', used: '6592', registrations: 16, lastDelegatedOn: '2022-11-14' },
      {
        kind: 'ipv6',
        delegations: 1,
        size: String(2n ** 96n),
        used: String(3n * 2n ** 92n + 2n ** 88n + 2n ** 80n),
        registrations: 5,
        lastDelegatedOn: '2021-03-02',
      },
      { kind: 'asn', delegations: 2, size: '4', used: '0', registrations: 0, lastDelegatedOn: '2023-05-30' },
    ]);
    expect(texts(data?.latest ?? [])[0]).toBe('AS65536 - AS65538');
  });

  test('an account without resources has an empty summary, not an error', async () => {
    const portal = registry();
    const { status, data } = await (await portal.as('max'))(api.resources.getSummary, { account: 'CORAL-KI' });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      totals: [{ delegations: 0, size: '0' }, { used: '0' }, { lastDelegatedOn: null }],
      latest: [],
      economies: [],
    });
  });

  test('delegations are sorted by number and size, not by text, and come a page at a time', async () => {
    const portal = registry();
    const tess = await portal.as('tess');
    const list = async (query: object): Promise<Listed> => {
      const { data } = await tess(api.resources.listDelegations, { account, query: { kind: 'ipv4', ...query } });
      return data as Listed;
    };
    const all = await list({});
    expect(texts(all.rows)).toEqual(['198.18.0.0/19', '198.18.64.0 - 198.18.66.255', '203.0.113.0/24']);
    expect(all).toMatchObject({ total: 3, size: '9216' });
    expect(all.rows[1]).toMatchObject({
      prefixes: ['198.18.64.0/23', '198.18.66.0/24'],
      statusText: 'ALLOCATED PORTABLE',
      size: '768',
      used: '512',
      registrations: 1,
    });
    expect(texts((await list({ sort: 'size', direction: 'asc' })).rows)).toEqual([
      '203.0.113.0/24',
      '198.18.64.0 - 198.18.66.255',
      '198.18.0.0/19',
    ]);
    expect(texts((await list({ sort: 'used', direction: 'desc' })).rows)[0]).toBe('198.18.0.0/19');
    const second = await list({ offset: '1', limit: '1' });
    expect(second).toMatchObject({ total: 3, size: '9216' });
    expect(texts(second.rows)).toEqual(['198.18.64.0 - 198.18.66.255']);
    expect(await list({ offset: '9' })).toMatchObject({ rows: [], total: 3 });
  });

  test('a filter matches a spelling, the delegation around an address or the contents of a prefix', async () => {
    const portal = registry();
    const tess = await portal.as('tess');
    for (const [q, ...found] of [
      ['198.18.65.9', '198.18.64.0 - 198.18.66.255'],
      ['198.18.0.0/15', '198.18.0.0/19', '198.18.64.0 - 198.18.66.255'],
      ['198.18.65.9/17', '198.18.0.0/19', '198.18.64.0 - 198.18.66.255'],
      ['.113', '203.0.113.0/24'],
      ['%'],
      ['AS64500'],
      ['192.0.2.1'],
    ]) {
      const { data } = await tess(api.resources.listDelegations, { account, query: { kind: 'ipv4', q } });
      expect(texts(data?.rows ?? []), q).toEqual(found);
      expect(data?.total, q).toBe(found.length);
    }
  });

  test('one delegation has its history, and another account’s does not exist', async () => {
    await using portal = await testPortal(kind);
    const corin = await portal.as('corin');
    const { data } = await corin(api.resources.listDelegations, { account, query: { kind: 'asn' } });
    const [first] = data?.rows ?? [];
    const delegationId = first?.delegationId ?? '';
    await portal.db.change({ ...activity, summary: 'Locked for a transfer' }, change =>
      change.rows(sql`update delegation set status = 'locked' where delegation_id = ${delegationId}::bigint`),
    );
    const detail = await corin(api.resources.getDelegation, { account, delegationId });
    expect(detail.data).toMatchObject({
      delegation: { resource: 'AS64500', status: 'locked', statusText: null, prefixes: [] },
      history: [
        { summary: 'Locked for a transfer: status active → locked', by: 'Registry' },
        { summary: expect.stringContaining('Delegated') },
      ],
    });
    const olive = await portal.as('olive');
    for (const id of [delegationId, '999999', 'x', '99999999999999999999'])
      expect(await olive(api.resources.getDelegation, { account: 'OTHER-SG', delegationId: id }), id).toMatchObject({
        status: 404,
        errors: [{ code: 'NOT_FOUND' }],
      });
  });

  test('registrations come with the free space between them', async () => {
    const portal = registry();
    const { data } = await (await portal.as('tess'))(api.resources.listRegistrations, { account, query: { kind: 'ipv4', limit: '500' } });
    const rows = data?.rows.map(({ row, resource, level }) => `${row === 'free' ? 'free' : level} ${resource}`);
    expect(rows).toEqual([
      '0 198.18.0.0/23',
      '0 198.18.2.0/24',
      '0 198.18.3.0/24',
      '0 198.18.4.0/22',
      '0 198.18.8.0/24',
      '0 198.18.9.0/24',
      'free 198.18.10.0/23',
      '0 198.18.12.0/23',
      '0 198.18.14.0/25',
      '0 198.18.14.128/26',
      'free 198.18.14.192/26',
      '0 198.18.15.0/24',
      '0 198.18.16.0/21',
      '0 198.18.24.0/24',
      '1 198.18.24.0/26',
      '1 198.18.24.128/26',
      'free 198.18.25.0 - 198.18.29.255',
      '0 198.18.30.0/24',
      'free 198.18.31.0/24',
      '0 198.18.64.0/23',
      'free 198.18.66.0/24',
    ]);
    expect(data?.total).toBe(rows?.length);
    expect(data?.rows[0]).toMatchObject({
      netname: 'CORE-INFRA',
      statusText: 'ASSIGNED NON-PORTABLE',
      visibility: 'public',
      parent: '198.18.0.0/19',
      size: '512',
      registeredOn: '2021-03-02',
    });
  });

  test('registrations of a parent are those in it with the gaps between them; a parent outside is refused', async () => {
    const portal = registry();
    const tess = await portal.as('tess');
    const list = (parent: string, query: object = {}) =>
      tess(api.resources.listRegistrations, { account, query: { kind: 'ipv4', parent, ...query } });
    expect(texts((await list('198.18.24.0/24')).data?.rows ?? [])).toEqual([
      '198.18.24.0/26',
      '198.18.24.64/26',
      '198.18.24.128/26',
      '198.18.24.192/26',
    ]);
    expect(texts((await list('198.18.24.0/24', { free: 'no' })).data?.rows ?? [])).toEqual(['198.18.24.0/26', '198.18.24.128/26']);
    expect(texts((await list('198.18.14.0/24')).data?.rows ?? [])).toEqual(['198.18.14.0/25', '198.18.14.128/26', '198.18.14.192/26']);
    for (const parent of ['198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', 'nonsense'])
      expect(await list(parent), parent).toMatchObject({
        status: 400,
        errors: [{ code: 'INVALID_REQUEST', field: 'parent' }],
      });
  });

  test('an assigned network is in use as a whole, a sub-allocation as far as networks are registered in it, free space not at all', async () => {
    const tess = await registry().as('tess');
    const list = async (query: object) =>
      (await tess(api.resources.listRegistrations, { account, query: { kind: 'ipv4', ...query } })).data!.rows.map(
        ({ resource, used }) => `${resource} ${used}`,
      );
    expect(await list({ parent: '198.18.24.0/22' })).toEqual([
      '198.18.24.0/24 128',
      '198.18.24.0/26 64',
      '198.18.24.128/26 64',
      '198.18.25.0 - 198.18.27.255 null',
    ]);
    expect(await list({ free: 'only' })).toEqual([
      '198.18.10.0/23 null',
      '198.18.14.192/26 null',
      '198.18.25.0 - 198.18.29.255 null',
      '198.18.31.0/24 null',
      '198.18.66.0/24 null',
    ]);
    expect(await list({ free: 'only', q: '198.18.31.7' })).toEqual(['198.18.31.0/24 null']);
    expect(await list({ free: 'only', q: 'LAB' })).toEqual([]);
    expect(await list({ free: 'only', visibility: 'private' })).toEqual([]);
  });

  test('private registrations are shown only to people with the permission; for others their space is neither listed nor free', async () => {
    await using portal = await testPortal(kind);
    await portal.db.change(activity, change =>
      change.rows(
        sql`update contact set permissions = array_remove(permissions, 'whois-private-objects-view') where account_name = ${account} and full_name like 'Tess%'`,
      ),
    );
    const tess = await portal.as('tess');
    const { data } = await tess(api.resources.listRegistrations, { account, query: { kind: 'ipv4', parent: '198.18.14.0/24' } });
    expect(texts(data?.rows ?? [])).toEqual(['198.18.14.192/26']);
    const hidden = await tess(api.search.findInAccount, { account, query: { q: 'CUST-ELDER' } });
    expect(hidden.data).toEqual([]);
    const map = await tess(api.resources.getAddressMap, { account, query: { kind: 'ipv4', within: '198.18.14.0/24' } });
    expect(map.data?.blocks.map(({ kind: of, label, name }) => [of, label, name])).toEqual([
      ['held', '198.18.14.0/25', null],
      ['held', '198.18.14.128/26', null],
      ['free', '198.18.14.192/26', null],
    ]);
    const file = await download(portal, 'tess', `/api/${account}/resources/registrations-export?kind=ipv4&format=csv`);
    expect(file.text).not.toContain('Elder');
  });

  test('the map of a block adds up to it; the first block is the one around the largest holding', async () => {
    const portal = registry();
    const tess = await portal.as('tess');
    const { data } = await tess(api.resources.getAddressMap, { account, query: { kind: 'ipv4' } });
    expect(data).toMatchObject({ within: '198.18.0.0/19', first: '198.18.0.0', sizeLog2: 13, holdingsTotal: 3 });
    expect(data?.holdings.map(({ within }) => within)).toEqual(['198.18.0.0/19', '198.18.64.0/22', '203.0.113.0/24']);
    let next = 0n;
    for (const { offset, size } of data?.blocks ?? []) {
      expect(BigInt(offset)).toBe(next);
      next += BigInt(size);
    }
    expect(next).toBe(8192n);
    expect(Object.fromEntries(data?.counts.map(({ kind: of, size }) => [of, size]) ?? [])).toEqual({
      assigned: '5952',
      free: '2112',
      customers: '128',
    });

    const v6 = await tess(api.resources.getAddressMap, { account, query: { kind: 'ipv6' } });
    expect(v6.data?.blocks.reduce((sum, { size }) => sum + BigInt(size), 0n)).toBe(2n ** 96n);
    expect(await tess(api.resources.getAddressMap, { account, query: { kind: 'ipv4', within: '10.0.0.0/8' } })).toMatchObject({
      status: 404,
    });
    expect(await tess(api.resources.getAddressMap, { account, query: { kind: 'ipv4', within: '198.18.0.1/19' } })).toMatchObject({
      status: 400,
    });
    expect(await tess(api.resources.getAddressMap, { account, query: { kind: 'ipv4', within: '2001:db8::/32' } })).toMatchObject({
      status: 400,
    });
  });

  test('the overview adds up to the account’s holdings, and shows where nothing is registered', async () => {
    await using portal = await testPortal(kind);
    await portal.db.change(activity, async change => {
      await delegate(change, given('100.64.0.0/16'), anyNumbers);
      await delegate(change, given('100.72.0.0/24', { type: 'assigned' }), anyNumbers);
    });
    const tess = await portal.as('tess');
    const { data } = await tess(api.resources.getAddressOverview, { account, query: { kind: 'ipv4' } });
    expect(data).toMatchObject({ delegations: 5, size: String(8192 + 768 + 256 + 65_536 + 256), stripLength: 16 });
    expect(data?.strips.map(({ within, delegations, size }) => [within, delegations, size])).toEqual([
      ['100.64.0.0/16', 1, '65536'],
      ['100.72.0.0/16', 1, '256'],
      ['198.18.0.0/16', 2, '8960'],
      ['203.0.0.0/16', 1, '256'],
    ]);
    expect(data?.strips.flatMap(({ marks }) => marks.map(mark => [mark.resource, mark.kind]))).toEqual([
      ['100.64.0.0/16', 'unassigned'],
      ['100.72.0.0/24', 'own'],
      ['198.18.0.0/19', 'partly'],
      ['198.18.64.0 - 198.18.66.255', 'partly'],
      ['203.0.113.0/24', 'own'],
    ]);
    expect(await (await portal.as('olive'))(api.resources.getAddressOverview, { account, query: { kind: 'ipv4' } })).toMatchObject({
      status: 404,
    });
  });

  test('an assigned network has no free space in it; a sub-allocation has', async () => {
    const portal = registry();
    const tess = await portal.as('tess');
    const rows = async (parent: string) =>
      (await tess(api.resources.listRegistrations, { account, query: { kind: 'ipv4', parent } })).data!.rows.map(
        ({ row, resource }) => `${row} ${resource}`,
      );
    expect(await rows('198.18.12.0/23')).toEqual([]);
    expect(await rows('198.18.12.0/24')).toEqual([]);
    expect(await rows('198.18.24.0/24')).toEqual([
      'registration 198.18.24.0/26',
      'free 198.18.24.64/26',
      'registration 198.18.24.128/26',
      'free 198.18.24.192/26',
    ]);
    const mayAssign = async (resource: string) =>
      (await (await portal.as('corin'))(api.whoisRecords.getRecord, { account, query: { resource } })).data!.mayAssign;
    expect(await Promise.all(['198.18.12.0/23', '198.18.12.0/24', '198.18.24.0/24', '198.18.0.0/19'].map(mayAssign))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  test('the palette finds by number and by name', async () => {
    const portal = registry();
    const tess = await portal.as('tess');
    const find = async (q: string) =>
      (await tess(api.search.findInAccount, { account, query: { q } })).data?.flatMap(({ section, text, link }) =>
        section === 'resources' ? [`${text} ${link}`] : [],
      );
    expect(await find('198.18.24.5')).toEqual([
      '198.18.24.0/26 /resources/prefix?prefix=198.18.24.0/26',
      '198.18.24.0/24 /resources/prefix?prefix=198.18.24.0/24',
      '198.18.0.0/19 /resources/prefix?prefix=198.18.0.0/19',
    ]);
    expect(await find('northwind')).toHaveLength(2);
    expect(await find('AS65537')).toEqual(['AS65536 - AS65538 /resources/as-number?number=AS65536+-+AS65538']);
    expect(await find('AS64501')).toEqual([]);
    const { data: whoisHits } = await tess(api.search.findInAccount, { account, query: { q: '198.18.8' } });
    expect(whoisHits?.flatMap(({ section, text }) => (section === 'whois' ? [text] : [])).toSorted()).toEqual([
      '198.18.8.0 - 198.18.8.255',
      '198.18.8.0/24 AS65536',
    ]);
    // The beginning of an address: the delegation before the networks in it.
    expect((await find('198.18.'))?.[0]).toBe('198.18.0.0/19 /resources/prefix?prefix=198.18.0.0/19');
  });

  test('a download has all rows, quotes what must be quoted and starts no formula', async () => {
    await using portal = await testPortal(kind);
    await portal.db.change(activity, change => assign(change, below('198.18.31.0/24', { netname: 'F', customer: '=HYPERLINK("x"), Ltd' })));
    const csv = await download(portal, 'tess', `/api/${account}/resources/registrations-export?kind=ipv4&format=csv`);
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="EXAMPLE-AU-ipv4-registrations.csv"');
    const lines = csv.text.split('\r\n');
    expect(lines[0]).toBe('resource,first,last,size,netname,statusText,customer,visibility,economy,registeredOn,updatedAt,level,parent');
    expect(lines).toHaveLength(1 + 17 + 1);
    expect(csv.text).toContain(`,"'=HYPERLINK(""x""), Ltd",`);

    const json = await download(portal, 'tess', `/api/${account}/resources/delegations-export?kind=ipv4&format=json&sort=size`);
    const rows = JSON.parse(json.text) as Listed['rows'];
    expect(texts(rows)).toEqual(['203.0.113.0/24', '198.18.64.0 - 198.18.66.255', '198.18.0.0/19']);
    expect(Object.keys(rows[0] ?? {})).toEqual([
      'resource',
      'first',
      'last',
      'size',
      'type',
      'statusText',
      'status',
      'source',
      'delegatedOn',
      'economy',
      'holdUntil',
      'used',
      'registrations',
    ]);
    expect((await download(portal, 'tess', `/api/${account}/resources/delegations-export?kind=asn&q=none&format=json`)).text).toBe('[]\n');
  });

  test('a contact who may not view resources gets none of it', async () => {
    await using portal = await testPortal(kind);
    const endpoints = Object.values(api.resources);
    for (const endpoint of endpoints) {
      expect(await portal.statusOf(endpoint, { as: null }), endpoint.id).toBe(401);
      expect(await portal.statusOf(endpoint, { as: 'bill' }), endpoint.id).toBe(403);
      expect(await portal.statusOf(endpoint, { as: 'olive' }), endpoint.id).toBe(404);
    }
  });
});

async function download(portal: Awaited<ReturnType<typeof testPortal>>, person: string, url: string) {
  const response = await portal.request(url, { headers: { authorization: `Bearer ${await portal.tokenOf(person)}` } });
  expect(response.status).toBe(200);
  return { headers: response.headers, text: await response.text() };
}
