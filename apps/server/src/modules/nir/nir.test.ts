import { api } from '@portal/contract/api';
import { daysAfter, utcDay } from '@portal/contract/days';
import type { NirEntityDetails } from '@portal/contract/nir/entities';
import type { SubaccountDetails } from '@portal/contract/nir/subaccounts';
import { emptyForm } from '@portal/contract/requests/request-form';
import { parseResource } from '@portal/number-resources';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { anyNumbers } from '../../../test/any-numbers.ts';
import { approveAlone } from '../../../test/deciding-requests.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import type { Change } from '../../platform/database/index.ts';
import { closeDelegations } from '../resources/delegations.ts';
import { addDemoPools } from '../resources/demo-pools.ts';
import { movedSpace } from '../resources/moving-space.ts';

type Person = Awaited<ReturnType<TestPortal['as']>>;
const account = 'NATREG-XX';
const withPools = (portal: TestPortal) =>
  portal.db.change({ action: 'demo.pools', summary: 'Filled the pools', traceId: '0'.repeat(32) }, change => addDemoPools(change));

const entity = async (nils: Person, name: string, more: object = {}): Promise<NirEntityDetails> => {
  const answer = await nils(api.nirEntities.addEntity, { account, body: { name, ...more } });
  expect(answer).toMatchObject({ status: 200 });
  return answer.data!;
};
const member = async (nils: Person, name: string, entityId: string): Promise<SubaccountDetails> => {
  const answer = await nils(api.nirSubaccounts.addSubaccount, { account, body: { name, entityId } });
  expect(answer).toMatchObject({ status: 200 });
  return answer.data!;
};
const delegate = (nils: Person, subaccountId: string, resource: string, netname = 'NET-1', more: object = {}) =>
  nils(api.nirDelegations.addNirDelegation, { account, body: { subaccountId, resource, netname, ...more } });
const objectAt = async (portal: TestPortal, first: string, last: string): Promise<string | undefined> =>
  (
    await portal.db.read.rows<{ text: string }>(
      sql`select text from whois_object where class in ('inetnum', 'inet6num') and first = ${first}::inet and last = ${last}::inet`,
    )
  )[0]?.text;

describe.each(kindsForRules)('a national registry on %s', kind => {
  test('sub-accounts are counted by holding and first character, and listed from a character on', async () => {
    await using portal = await testPortal(kind);
    const nils = await portal.as('nils');
    const { entityId } = await entity(nils, 'Counted Networks', { localName: 'カウント' });
    const other = await entity(nils, 'Counted Hosting');
    const before = (await nils(api.nirSubaccounts.countSubaccounts, { account, query: {} })).data!;
    const none = await member(nils, 'xa-zz', entityId);
    const one = await member(nils, 'xb-zz', entityId);
    const two = await member(nils, 'ya-zz', other.entityId);
    expect(await delegate(nils, one.subaccountId, '198.19.32.0/24')).toMatchObject({ status: 200 });
    expect(await delegate(nils, two.subaccountId, '198.19.34.0/23', 'NET-2')).toMatchObject({ status: 200 });
    const counts = (await nils(api.nirSubaccounts.countSubaccounts, { account, query: {} })).data!;
    expect(counts.total).toBe(before.total + 3);
    expect(counts.holdings).toEqual({
      ...before.holdings,
      none: before.holdings.none + 1,
      one: before.holdings.one + 1,
      two: before.holdings.two + 1,
    });
    expect(counts.letters.slice(-2)).toMatchObject([
      { letter: 'X', count: 2 },
      { letter: 'Y', count: 1 },
    ]);
    const listed = async (query: object) =>
      (await nils(api.nirSubaccounts.listSubaccounts, { account, query })).data!.rows.map(({ name }) => name);
    expect(await listed({ after: counts.letters.at(-2)!.after })).toEqual(['XA-ZZ', 'XB-ZZ', 'YA-ZZ']);
    const [first] = (await nils(api.nirSubaccounts.listSubaccounts, { account, query: { q: 'xa-zz' } })).data!.rows;
    expect(first).toMatchObject({ entity: 'Counted Networks', entityLocalName: 'カウント' });
    // The day of a change is shown in the reader's zone, so that it has its time.
    expect(Date.parse(first!.updatedAt)).toBeLessThanOrEqual(Date.now());
    expect(await listed({ q: 'counted', holding: 'none' })).toEqual([none.name]);
    expect(await listed({ q: 'counted', holding: 'two' })).toEqual([two.name]);
    // Numbers find who holds any of them.
    for (const q of ['198.19.34.9', '198.19.34.0 - 198.19.34.255', '198.19.35.0/24']) expect(await listed({ q }), q).toEqual([two.name]);
    expect(await listed({ q: '198.19.32.0/21' })).toEqual([one.name, two.name]);
    expect(await listed({ q: '203.0.113.0/24' })).toEqual([]);
    expect((await nils(api.nirSubaccounts.countSubaccounts, { account, query: { q: '198.19.32.0/21' } })).data!.total).toBe(2);
    // Who holds IPv6 or AS numbers, and which records were changed since a day.
    expect(await delegate(nils, one.subaccountId, 'AS64505', '')).toMatchObject({ status: 200 });
    expect(await listed({ q: 'counted', holds: 'asn' })).toEqual([one.name]);
    expect(await delegate(nils, two.subaccountId, '3fff:480::/32', 'NET-V6', { type: 'allocated' })).toMatchObject({ status: 200 });
    expect(await listed({ q: 'counted', holds: 'ipv6' })).toEqual([two.name]);
    expect(await listed({ q: 'counted', holds: 'no-ipv6' })).toEqual([none.name, one.name]);
    expect(await listed({ q: 'counted', changedSince: utcDay(Date.now()) })).toEqual([none.name, one.name, two.name]);
    expect(await listed({ q: 'counted', changedSince: '2100-01-01' })).toEqual([]);
    expect((await nils(api.nirSubaccounts.countSubaccounts, { account, query: { holds: 'asn', q: 'counted' } })).data!.total).toBe(1);
    // The whois objects of what it holds: networks, and the registry's aut-num.
    const rows = (await nils(api.nirSubaccounts.listSubaccounts, { account, query: { q: 'counted' } })).data!.rows;
    expect(rows.map(({ objects }) => objects)).toEqual([0, 2, 2]);
    // What the pages list in all is counted once for their tabs.
    const records = (await nils(api.nirSubaccounts.countRecords, { account })).data!;
    expect(records.subaccounts).toBe(counts.total);
    expect(records.ipv4Limit).toBe(23);
    expect(records.entities).toBe((await nils(api.nirEntities.listEntities, { account, query: {} })).data!.total);
    expect((await (await portal.as('corin'))(api.nirSubaccounts.countRecords, { account })).status).toBe(404);
    expect((await (await portal.as('corin'))(api.nirSubaccounts.countSubaccounts, { account, query: {} })).status).toBe(404);
  });

  test('delegates to a sub-account: register, whois and its list follow, and so does the removal', async () => {
    await using portal = await testPortal(kind);
    const nils = await portal.as('nils');
    const { entityId } = await entity(nils, 'Northnet Telecom');
    const { subaccountId } = await member(nils, 'northnet-zz', entityId);
    const preview = await nils(api.nirDelegations.previewNirDelegation, {
      account,
      body: { subaccountId, resource: '198.19.32.0/23', netname: 'NORTHNET-1', type: 'allocated' },
    });
    expect(preview).toMatchObject({
      data: { subaccount: 'NORTHNET-ZZ', kind: 'ipv4', delegation: '198.19.0.0/17', organisation: { addresses: '512', limit: '512' } },
    });
    expect(preview.data!.whois!.after).toMatch(/status: +ALLOCATED PORTABLE/);
    expect(await objectAt(portal, '198.19.32.0', '198.19.33.255')).toBeUndefined();
    expect(await delegate(nils, subaccountId, '198.18.0.0/24')).toMatchObject({ errors: [{ code: 'ASSIGNMENT_OUTSIDE' }] });
    const given = (await delegate(nils, subaccountId, '198.19.32.0/23', 'NORTHNET-1', { type: 'allocated' })).data!;
    expect(given).toMatchObject({ resource: '198.19.32.0/23', subaccount: 'NORTHNET-ZZ', entity: 'Northnet Telecom', pool: 'nir' });
    // The statistics name each member's part, and the rest as the national registry's.
    const published = await (await portal.request('/statistics/delegated-example-extended-latest')).text();
    const lines = published
      .split('\n')
      .filter(text => /\|198\.19\.\d+\.0\|/.test(text) && !text.includes('reserved') && !text.includes('available'));
    const sizes = lines.map(text => text.split('|').slice(3, 5).join('+'));
    expect(sizes).toEqual(expect.arrayContaining(['198.19.32.0+512', '198.19.0.0+8192', '198.19.34.0+24064']));
    const holderOf = (first: string) => lines.find(text => text.includes(`|${first}|`))!.split('|')[7];
    expect(holderOf('198.19.0.0')).toBe(holderOf('198.19.34.0'));
    expect(holderOf('198.19.32.0')).not.toBe(holderOf('198.19.0.0'));
    const text = await objectAt(portal, '198.19.32.0', '198.19.33.255');
    expect(text).toMatch(/status: +ALLOCATED PORTABLE/);
    expect(text).toMatch(/descr: +Northnet Telecom/);
    expect(text).toMatch(/mnt-by: +MAINT-XX-NATREG/);
    const registrations = await nils(api.resources.listRegistrations, { account, query: { kind: 'ipv4', q: '198.19.32.0/23' } });
    expect(registrations.data!.rows).toMatchObject([{ statusText: 'ALLOCATED PORTABLE', customer: 'NORTHNET-ZZ' }]);
    expect(await delegate(nils, subaccountId, '198.19.33.0/24', 'NORTHNET-2')).toMatchObject({
      errors: [{ code: 'INVALID_REQUEST', message: expect.stringContaining('The limit is 512') }],
    });
    expect(await delegate(nils, subaccountId, 'AS64505', '')).toMatchObject({ data: { kind: 'asn', resource: 'AS64505' } });
    expect(await delegate(nils, subaccountId, 'AS64505', '')).toMatchObject({ errors: [{ code: 'ASSIGNMENT_OVERLAPS' }] });
    expect(await delegate(nils, subaccountId, 'AS64500', '')).toMatchObject({ errors: [{ code: 'ASSIGNMENT_OUTSIDE' }] });
    expect(await nils(api.nirSubaccounts.getSubaccount, { account, subaccountId })).toMatchObject({
      data: { delegations: 2, ipv4: '512', asns: '1' },
    });
    expect(await nils(api.nirSubaccounts.closeSubaccount, { account, subaccountId })).toMatchObject({
      errors: [{ code: 'SUBACCOUNT_IN_USE' }],
    });
    const file = await nils(api.nirDelegations.exportNirDelegations, { account, query: { kind: 'ipv4' } });
    expect(file.status).toBe(200);
    expect(await nils(api.nirDelegations.returnNirDelegation, { account, delegationId: given.delegationId })).toMatchObject({
      status: 204,
    });
    expect(await objectAt(portal, '198.19.32.0', '198.19.33.255')).toBeUndefined();
    expect(await nils(api.nirDelegations.listNirDelegations, { account, query: { kind: 'ipv4' } })).toMatchObject({
      data: { rows: [], total: 0 },
    });
    const other = await member(nils, 'OTHERNET-ZZ', entityId);
    expect(await delegate(nils, other.subaccountId, '198.19.32.0/24')).toMatchObject({ errors: [{ code: 'ASSIGNMENT_RESTS' }] });
    expect(await delegate(nils, other.subaccountId, '198.19.32.0/24', 'OTHER-1', { reuse: true })).toMatchObject({ status: 200 });
  });

  test('AS numbers of a sub-account end with their delegation, and stay if it is only split', async () => {
    await using portal = await testPortal(kind);
    const nils = await portal.as('nils');
    const { entityId } = await entity(nils, 'Northnet Telecom');
    const { subaccountId } = await member(nils, 'northnet-zz', entityId);
    await delegate(nils, subaccountId, 'AS64503', '');
    await delegate(nils, subaccountId, 'AS64506', '');
    const held = async () =>
      (await nils(api.nirDelegations.listNirDelegations, { account, query: { kind: 'asn', subaccountId } })).data!.rows.map(
        row => row.resource,
      );
    const change = (run: (tx: Change) => Promise<unknown>) =>
      portal.db.change({ action: 'test', summary: 'Changed the ledger', traceId: '0'.repeat(32) }, async tx => void (await run(tx)));
    // A part of the delegation leaves: the rest is delegated again in the same change, and its contents stay.
    await change(tx => movedSpace(tx, account, [parseResource('AS64506 - AS64509')], null, { move: 'transferred', policy: anyNumbers }));
    expect(await held()).toEqual(['AS64503']);
    const [rest] = await portal.db.read.rows<{ delegationId: number }>(
      sql`select delegation_id from delegation where account_name = ${account} and kind = 'asn' and status <> 'closed'`,
    );
    await change(tx => closeDelegations(tx, [rest!.delegationId]));
    expect(await held()).toEqual([]);
  });

  test('two people give the same block to two sub-accounts: one of them gets it', async () => {
    await using portal = await testPortal(kind);
    const nils = await portal.as('nils');
    const { entityId } = await entity(nils, 'Northnet Telecom');
    const [one, two] = [await member(nils, 'ONE-ZZ', entityId), await member(nils, 'TWO-ZZ', entityId)];
    const answers = await Promise.all([one, two].map(({ subaccountId }) => delegate(nils, subaccountId, '198.19.40.0/24')));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});

describe.each(kindsForRules)('rules of a national registry on %s', kind => {
  test('a file is delegated completely or not at all, with the problem of each line', async () => {
    await using portal = await testPortal(kind);
    const nils = await portal.as('nils');
    const { entityId } = await entity(nils, 'Northnet Telecom');
    await member(nils, 'NORTHNET-ZZ', entityId);
    const send = (lines: readonly string[], dryRun: boolean) =>
      nils(api.nirDelegations.importNirDelegations, {
        account,
        body: { csv: `subaccount,resource,kind,netname,description,economy\n${lines.join('\n')}\n`, dryRun },
      });
    const good = [
      'NORTHNET-ZZ,198.19.48.0/24,,NORTHNET-A,,',
      'northnet-zz,AS64506,,,,',
      'NORTHNET-ZZ,3fff:410::/32,allocated,NORTHNET-V6,,',
    ];
    const wrong = await send(
      [
        ...good,
        'NOBODY-ZZ,198.19.49.0/24,,X1,,',
        'NORTHNET-ZZ,198.19.48.0/25,,X2,,',
        'NORTHNET-ZZ,198.19.50.1/24,,X3,,',
        'NORTHNET-ZZ,198.19.51.0/24,,,,',
      ],
      false,
    );
    expect(wrong.data).toMatchObject({
      stored: false,
      rows: [
        { line: 2, problem: null },
        { line: 3, problem: null },
        { line: 4, problem: null },
        { line: 5, problem: 'There is no sub-account NOBODY-ZZ' },
        { line: 6, problem: expect.stringContaining('overlaps') as string },
        { line: 7, problem: '198.19.50.1/24 has host bits set; did you mean 198.19.50.0/24?' },
        { line: 8, problem: expect.stringContaining('Enter a netname') as string },
      ],
    });
    const list = async (of: 'ipv4' | 'ipv6' | 'asn') =>
      (await nils(api.nirDelegations.listNirDelegations, { account, query: { kind: of } })).data!.rows.map(({ resource }) => resource);
    expect(await list('ipv4')).toEqual([]);
    expect(await send(good, true)).toMatchObject({
      data: { stored: false, rows: [{ problem: null }, { problem: null }, { problem: null }] },
    });
    expect(await list('asn')).toEqual([]);
    expect(await send(good, false)).toMatchObject({ data: { stored: true } });
    expect([await list('ipv4'), await list('ipv6'), await list('asn')]).toEqual([['198.19.48.0/24'], ['3fff:410::/32'], ['AS64506']]);
    expect(await send(['NORTHNET-ZZ,198.19.52.0/24'], true)).toMatchObject({ status: 200 });
    const unknown = await nils(api.nirDelegations.importNirDelegations, { account, body: { csv: 'name,prefix\nA,B\n' } });
    expect(unknown).toMatchObject({
      errors: [{ code: 'INVALID_REQUEST', message: expect.stringContaining('Found: name, prefix') as string }],
    });
  });

  test('a wrong row has the value that would be right, and a file that names its problems can be sent again', async () => {
    await using portal = await testPortal(kind);
    const nils = await portal.as('nils');
    const { entityId } = await entity(nils, 'Northnet Telecom');
    await member(nils, 'NORTHNET-ZZ', entityId);
    const other = await member(nils, 'OCEANTEL-ZZ', (await entity(nils, 'Oceantel')).entityId);
    const third = await member(nils, 'MARLIN-ZZ', (await entity(nils, 'Marlin')).entityId);
    expect(await delegate(nils, other.subaccountId, '198.19.48.0/24')).toMatchObject({ status: 200 });
    const head = 'subaccount,resource,netname,problem';
    const send = async (rows: readonly string[]) => {
      const answer = await nils(api.nirDelegations.importNirDelegations, {
        account,
        body: { csv: [head, ...rows].map(row => `${row}\n`).join(''), dryRun: true },
      });
      expect(answer.errors).toBeUndefined();
      return answer.data!.rows;
    };
    const rows = [
      'NORTHNT-ZZ,198.19.50.0/24,A-1,There is no such sub-account',
      'NORTHNET-ZZ,198.19.48.0/24,A-2,',
      'OCEANTEL-ZZ,198.19.51.1/24,A-3,',
      'MARLIN-ZZ,198.19.53.128/25,A-4,',
      'MARLIN-ZZ,198.19.54.0/24,,',
      'UNLIKE-ANY-ZZ,198.19.55.0/24,A-5,',
    ];
    const wrong = await send(rows);
    const free = { column: 'resource', value: expect.stringMatching(/^198\.19\.\d+\.0\/24$/) as string };
    expect(wrong.map(({ fix }) => fix)).toEqual([
      { column: 'subaccount', value: 'NORTHNET-ZZ' },
      free,
      { column: 'resource', value: '198.19.51.0/24' },
      free,
      null,
      null,
    ]);
    expect(wrong[0]!.problem).toBe('There is no sub-account NORTHNT-ZZ. Did you mean NORTHNET-ZZ?');
    const both = await send(['NORTHNT-ZZ,198.19.48.0/24,A-1,']);
    expect(both).toMatchObject([
      {
        fix: null,
        problem: expect.stringMatching(
          /^There is no sub-account NORTHNT-ZZ\. Did you mean NORTHNET-ZZ\? With it: .*198\.19\.48\.0/,
        ) as string,
      },
    ]);
    const [second, fourth] = [wrong[1]!.fix!.value, wrong[3]!.fix!.value];
    expect(
      new Set([second, fourth, '198.19.48.0/24', '198.19.50.0/24', '198.19.51.0/24']).size,
      'each block once, and none that is taken',
    ).toBe(5);
    expect(third.delegations).toBe(0);
    const fixed = await send([
      'NORTHNET-ZZ,198.19.50.0/24,A-1,',
      `NORTHNET-ZZ,${second},A-2,`,
      'OCEANTEL-ZZ,198.19.51.0/24,A-3,',
      `MARLIN-ZZ,${fourth},A-4,`,
    ]);
    expect(fixed.map(({ problem, fix }) => [problem, fix])).toEqual(Array.from({ length: 4 }, () => [null, null]));
  });

  test('a wrong row has its reason in words, and no value is offered with which it would be wrong still', async () => {
    await using portal = await testPortal(kind);
    const nils = await portal.as('nils');
    const full = await member(nils, 'FULL-ZZ', (await entity(nils, 'Full')).entityId);
    expect(await delegate(nils, full.subaccountId, '198.19.48.0/23')).toMatchObject({ status: 200 });
    const csv = `subaccount,resource,kind,netname
FULL-ZZ,198.19.48.0/24,,A-1
FULL-ZZ,198.19.52.0/24,,A-2
FULL-ZZ,198.19.53.0/24,lent,A-3
FULL-ZZ,,,A-4
`;
    const { data } = await nils(api.nirDelegations.importNirDelegations, { account, body: { csv, dryRun: true } });
    const rows = data!.rows;
    // A free block of the size would be beyond the limit of the organisation.
    expect(rows.map(({ fix }) => fix)).toEqual([null, null, null, null]);
    expect(rows[1]!.problem).toMatch(/^The organisation would have 768 addresses in all its sub-accounts\. The limit is 512/);
    expect(rows[2]!.problem).toBe('kind: Takes one of allocated, assigned');
    expect(rows[3]!.problem).toBe('resource: Enter a prefix, range or AS number');
    for (const { problem } of rows) expect(problem).not.toContain('isn’t valid');
  });

  test('organisations of a file are recorded completely or not at all, and duplicates are named', async () => {
    await using portal = await testPortal(kind);
    const nils = await portal.as('nils');
    const send = (csv: string, dryRun = false) => nils(api.nirEntities.importEntities, { account: 'NATREG-XX', body: { csv, dryRun } });
    const good = 'name,registrationNumber,economy,email\nNorthern Link Ltd,88-1,FJ,noc@north.example\n"Sea, Sky and Co",88-2,fj,\n';
    expect((await send(good, true)).data).toMatchObject({ stored: false, rows: [{ problem: null }, { problem: null }] });
    const wrong = await send(`${good}Third Ltd,88-1,FJ,\nFourth Ltd,,Fiji,nobody`);
    expect(wrong.data).toMatchObject({
      stored: false,
      rows: [
        { problem: null },
        { problem: null },
        { line: 4, problem: 'registrationNumber: 88-1 is recorded already' },
        { line: 5, problem: expect.stringMatching(/economy: .*; email: /) },
      ],
    });
    expect((await send(good)).data).toMatchObject({ stored: true });
    expect((await send(good)).data).toMatchObject({ stored: false, rows: [{ problem: expect.stringContaining('already') }, {}] });
    const listed = await nils(api.nirEntities.listEntities, { account: 'NATREG-XX', query: { q: 'sea, sky' } });
    expect(listed.data!.rows).toMatchObject([{ name: 'Sea, Sky and Co', economy: 'FJ', registrationNumber: '88-2' }]);
    expect(await send('title\nX')).toMatchObject({ errors: [{ message: expect.stringContaining('name, localName') }] });
  });

  test('a list continues after the last row of the previous page, and finds by number, netname and sub-account', async () => {
    await using portal = await testPortal(kind);
    const nils = await portal.as('nils');
    const { entityId } = await entity(nils, 'Northnet Telecom');
    const { subaccountId } = await member(nils, 'NORTHNET-ZZ', entityId);
    const other = await member(nils, 'NORTHNET-MOBILE-ZZ', (await entity(nils, 'Northnet Mobile')).entityId);
    for (const [third, of] of [
      [34, subaccountId],
      [33, subaccountId],
      [32, other.subaccountId],
    ] as const)
      expect(await delegate(nils, of, `198.19.${third}.0/24`, `N-${third}`)).toMatchObject({ status: 200 });
    const list = (query: object) => nils(api.nirDelegations.listNirDelegations, { account, query: { kind: 'ipv4', ...query } });
    const first = (await list({ limit: 2 })).data!;
    expect(first.rows.map(({ resource }) => resource)).toEqual(['198.19.32.0/24', '198.19.33.0/24']);
    const second = (await list({ limit: 2, after: first.next! })).data!;
    expect([second.rows.map(({ resource }) => resource), second.next]).toEqual([['198.19.34.0/24'], null]);
    expect((await list({ q: '198.19.33.7' })).data!.rows).toHaveLength(1);
    expect((await list({ q: 'n-34' })).data!.rows).toHaveLength(1);
    expect((await list({ q: 'northnet' })).data!.rows).toHaveLength(3);
    expect(await list({ after: 'nonsense' })).toMatchObject({ errors: [{ code: 'INVALID_REQUEST' }] });
  });

  test('no block is smaller than policy allows, and one organisation gets at most a /23 of IPv4, in every call', async () => {
    await using portal = await testPortal(kind);
    const nils = await portal.as('nils');
    const { entityId } = await entity(nils, 'Northnet Telecom');
    const [first, second] = [await member(nils, 'NORTHNET-ZZ', entityId), await member(nils, 'NORTHNET-MOBILE-ZZ', entityId)];
    const other = await member(nils, 'SOUTHNET-ZZ', (await entity(nils, 'Southnet Telecom')).entityId);
    const words = async (answer: ReturnType<typeof delegate>): Promise<string> => (await answer).errors?.[0]?.message ?? '';
    expect(await words(delegate(nils, first.subaccountId, '198.19.32.0/32', 'N-1'))).toContain('is smaller than a /24');
    expect(await words(delegate(nils, first.subaccountId, '3fff:410::/64', 'N-2'))).toContain('is smaller than a /48');
    expect(await words(delegate(nils, first.subaccountId, '198.19.32.0/22', 'N-3'))).toMatch(/1.024 addresses/);
    expect(await delegate(nils, first.subaccountId, '198.19.32.0/24', 'N-4')).toMatchObject({ status: 200 });
    expect(await delegate(nils, second.subaccountId, '198.19.33.0/24', 'N-5')).toMatchObject({ status: 200 });
    expect(await words(delegate(nils, second.subaccountId, '198.19.34.0/24', 'N-6'))).toContain('768 addresses');
    const given = (await delegate(nils, other.subaccountId, '198.19.34.0/24', 'N-7')).data!;
    const move = (reason: 'market' | 'membership') =>
      nils(api.nirDelegations.moveNirDelegations, {
        account,
        body: { from: other.subaccountId, to: first.subaccountId, delegationIds: [given.delegationId], reason, dryRun: false },
      });
    expect((await move('membership')).errors?.[0]?.message).toContain('768 addresses');
    expect(await move('market')).toMatchObject({ data: { stored: true } });
    const imported = await nils(api.nirDelegations.importNirDelegations, {
      account,
      body: { csv: 'subaccount,resource,kind,netname\nNORTHNET-ZZ,198.19.48.0/24,,N-8\nSOUTHNET-ZZ,198.19.49.0/25,,N-9\n', dryRun: true },
    });
    expect(imported.data!.rows.map(({ problem }) => problem)).toEqual([
      expect.stringMatching(/1.024 addresses/),
      expect.stringContaining('smaller than a /24'),
    ]);
  });

  test('free space is the best-fitting gap, the middle of the largest gap, or the lowest number', async () => {
    await using portal = await testPortal(kind);
    const nils = await portal.as('nils');
    const { entityId } = await entity(nils, 'Northnet Telecom');
    const { subaccountId } = await member(nils, 'NORTHNET-ZZ', entityId);
    const free = async (of: 'ipv4' | 'ipv6' | 'asn', length = 24) =>
      (await nils(api.nirDelegations.listNirFreeSpace, { account, query: { kind: of, length } })).data!.map(({ resource }) => resource);
    let others = 0;
    /** A sub-account of another organisation: one has at most a /23 of IPv4. */
    const another = async (): Promise<string> => {
      others++;
      return (await member(nils, `OTHER-${others}-ZZ`, (await entity(nils, `Other ${others}`)).entityId)).subaccountId;
    };
    // The first /20 is infrastructure of the national registry.
    await delegate(nils, subaccountId, '198.19.16.0/24', 'N-1');
    await delegate(nils, subaccountId, '198.19.18.0/24', 'N-2');
    expect((await free('ipv4'))[0]).toBe('198.19.17.0/24');
    await delegate(nils, subaccountId, '3fff:400::/32', 'V6-1');
    const [suggested] = await free('ipv6', 32);
    expect(suggested).toBe('3fff:480::/32');
    await delegate(nils, subaccountId, 'AS64502', '');
    expect((await free('asn'))[0]).toBe('AS64503');
    for (const [of, length] of [
      ['ipv4', 24],
      ['ipv6', 32],
      ['asn', 0],
    ] as const)
      for (const resource of (await free(of, length)).slice(0, 3))
        expect(
          await delegate(
            nils,
            of === 'ipv4' ? await another() : subaccountId,
            resource,
            of === 'asn' ? '' : `F-${length}-${resource.replaceAll(/\W/g, '-')}X`,
          ),
        ).toMatchObject({ status: 200 });
  });

  test('a move takes rows, register and whois objects along, can be rehearsed, and can close an empty source', async () => {
    await using portal = await testPortal(kind);
    const nils = await portal.as('nils');
    const from = await member(nils, 'NORTHNET-ZZ', (await entity(nils, 'Northnet Telecom')).entityId);
    const to = await member(nils, 'SOUTHNET-ZZ', (await entity(nils, 'Southnet Telecom')).entityId);
    const given = (await delegate(nils, from.subaccountId, '198.19.36.0/24', 'NORTHNET-1')).data!;
    const number = (await delegate(nils, from.subaccountId, 'AS64507', '')).data!;
    const move = (more: object) =>
      nils(api.nirDelegations.moveNirDelegations, {
        account,
        body: {
          from: from.subaccountId,
          to: to.subaccountId,
          delegationIds: [given.delegationId, number.delegationId],
          reason: 'merger',
          ...more,
        },
      });
    expect(await move({ dryRun: true, closeSource: true })).toMatchObject({
      data: { stored: false, closed: false, rows: [{ before: null }, { before: 'Northnet Telecom', after: 'Southnet Telecom' }] },
    });
    expect(await objectAt(portal, '198.19.36.0', '198.19.36.255')).toMatch(/descr: +Northnet Telecom/);
    expect(await move({ dryRun: false, delegationIds: [given.delegationId], closeSource: true })).toMatchObject({
      errors: [{ code: 'SUBACCOUNT_IN_USE' }],
    });
    expect(await move({ dryRun: false, closeSource: true })).toMatchObject({ data: { stored: true, closed: true } });
    expect(await objectAt(portal, '198.19.36.0', '198.19.36.255')).toMatch(/descr: +Southnet Telecom/);
    expect(await move({ dryRun: false })).toMatchObject({ errors: [{ code: 'INVALID_REQUEST' }] });
    expect(await nils(api.nirSubaccounts.getSubaccount, { account, subaccountId: from.subaccountId })).toMatchObject({
      data: { status: 'closed', delegations: 0 },
    });
    expect(await delegate(nils, from.subaccountId, '198.19.37.0/24')).toMatchObject({ errors: [{ code: 'SUBACCOUNT_CLOSED' }] });
    expect(await nils(api.nirSubaccounts.reopenSubaccount, { account, subaccountId: from.subaccountId })).toMatchObject({
      data: { status: 'open' },
    });
  });

  test('organisations are merged, separated again, kept from two writers, and pushed to whois', async () => {
    await using portal = await testPortal(kind);
    const nils = await portal.as('nils');
    const [role] = await portal.db.read.rows<{ shown: string }>(
      sql`select shown from whois_object where class = 'role' and text ilike '%natreg.example%' limit 1`,
    );
    const one = await entity(nils, 'Harbour Hosting', { handle: role!.shown, phone: '+999 555 9999', email: 'noc@harbour.example' });
    const two = await entity(nils, 'Harbor Hosting');
    const { subaccountId } = await member(nils, 'HARBOR-ZZ', two.entityId);
    expect(one.whois!.drift.map(({ attribute }) => attribute)).toEqual(['phone', 'e-mail']);
    const pushed = await nils(api.nirEntities.pushEntity, { account, entityId: one.entityId });
    expect(pushed).toMatchObject({ data: { whois: { drift: [] } } });
    const merged = await nils(api.nirEntities.mergeEntity, { account, entityId: two.entityId, body: { into: one.entityId } });
    expect(merged).toMatchObject({ data: { members: [{ name: 'HARBOR-ZZ' }], merged: [{ name: 'Harbor Hosting' }] } });
    expect((await nils(api.nirEntities.listEntities, { account, query: { q: 'harb' } })).data!.rows.map(({ name }) => name)).toEqual([
      'Harbour Hosting',
    ]);
    expect(await member(nils, 'HARBOR-TWO-ZZ', one.entityId)).toMatchObject({ entity: 'Harbour Hosting' });
    const change = {
      name: 'Harbor',
      version: merged.data!.version,
      localName: '',
      registrationNumber: '',
      address: '',
      economy: '',
      phone: '',
      email: '',
      handle: '',
      remarks: '',
    };
    expect(await nils(api.nirEntities.changeEntity, { account, entityId: two.entityId, body: change })).toMatchObject({
      errors: [{ code: 'ENTITY_MERGED' }],
    });
    expect(await nils(api.nirEntities.unmergeEntity, { account, entityId: two.entityId })).toMatchObject({
      data: { members: [{ name: 'HARBOR-ZZ' }] },
    });
    expect(await nils(api.nirEntities.deleteEntity, { account, entityId: two.entityId })).toMatchObject({
      errors: [{ code: 'ENTITY_IN_USE' }],
    });
    expect(await nils(api.nirSubaccounts.addSubaccount, { account, body: { name: 'HARBOR-ZZ', entityId: one.entityId } })).toMatchObject({
      errors: [{ code: 'SUBACCOUNT_EXISTS' }],
    });
    const row = (await nils(api.nirSubaccounts.getSubaccount, { account, subaccountId })).data!;
    const body = { name: row.name, entityId: row.entityId, contactName: 'A', email: '', remarks: '', version: row.version };
    expect(await nils(api.nirSubaccounts.changeSubaccount, { account, subaccountId, body })).toMatchObject({ status: 200 });
    expect(await nils(api.nirSubaccounts.changeSubaccount, { account, subaccountId, body })).toMatchObject({ errors: [{ code: 'STALE' }] });
    // Fields left out of a change stay.
    const few = { name: row.name, entityId: row.entityId, version: row.version + 1 };
    expect((await nils(api.nirSubaccounts.changeSubaccount, { account, subaccountId, body: few })).data).toMatchObject({
      contactName: 'A',
    });
  });

  test('a request to the registry for a sub-account is judged by its organisation, and what is approved is recorded with it', async () => {
    await using portal = await testPortal(kind);
    await withPools(portal);
    const nils = await portal.as('nils');
    const { entityId } = await entity(nils, 'Northnet Telecom');
    const { subaccountId } = await member(nils, 'NORTHNET-ZZ', entityId);
    const start = () => nils(api.subaccountRequests.startSubaccountRequest, { account, body: { kind: 'ipv6', subaccountId } });
    const started = (await start()).data!;
    expect(started).toMatchObject({ subaccount: 'NORTHNET-ZZ', state: 'draft' });
    expect((await start()).data!.requestId).toBe(started.requestId);
    const { requestId } = started;
    const saved = await nils(api.requests.saveRequest, {
      account,
      requestId,
      body: {
        version: started.version,
        form: {
          ...emptyForm,
          path: 'lir',
          length: 32,
          sites: 400,
          startsOn: daysAfter(utcDay(Date.now()), 30),
          network: 'Two cities, one border router each.',
        },
        documentIds: [],
      },
    });
    const sent = await nils(api.requests.submitRequest, { account, requestId, body: { version: saved.data!.version, truthful: true } });
    expect(sent).toMatchObject({ data: { state: 'submitted' } });
    expect(await start()).toMatchObject({ errors: [{ code: 'REQUEST_OPEN' }] });
    expect(await nils(api.nirSubaccounts.closeSubaccount, { account, subaccountId })).toMatchObject({
      errors: [{ code: 'SUBACCOUNT_IN_USE' }],
    });
    const approved = await approveAlone(portal, requestId);
    expect(approved).toMatchObject({ data: { state: 'completed', subaccount: 'NORTHNET-ZZ' } });
    const list = await nils(api.nirDelegations.listNirDelegations, { account, query: { kind: 'ipv6' } });
    expect(list.data!.rows).toMatchObject([{ pool: 'registry', subaccount: 'NORTHNET-ZZ', resource: approved.data!.resources[0] }]);
    const [row] = list.data!.rows;
    expect(await nils(api.nirDelegations.returnNirDelegation, { account, delegationId: row!.delegationId })).toMatchObject({
      errors: [{ code: 'INVALID_REQUEST' }],
    });
    expect((await nils(api.subaccountRequests.listSubaccountRequests, { account, query: {} })).data).toMatchObject({ total: 1 });
  });
});
