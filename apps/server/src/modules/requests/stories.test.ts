import { api } from '@portal/contract/api';
import { daysAfter, utcDay } from '@portal/contract/days';
import { emptyForm, type RequestForm, type RequestKind } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { approveAlone, approveByTwo, completePaid, payFee, sendRequest as send } from '../../../test/deciding-requests.ts';
import { type TestPortal, testPortal } from '../../../test/portal.ts';
import { sentFile } from '../../../test/sample-files.ts';
import { addDemoPools } from '../resources/demo-pools.ts';
import { syncRegistryObjects } from '../whois/index.ts';

const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };
const plan = [{ purpose: 'Hosting', amounts: [256, 512, 768, 1024, 1600] }];
const network = 'Two cities, one border router each.';

/** Reads public services: whois and RDAP follow the ledger within seconds. */
function world(portal: TestPortal) {
  const text = async (url: string): Promise<string> => (await portal.request(url)).text();
  return {
    follow: () => syncRegistryObjects(portal.db, portal.context.profile),
    rdap: async (path: string) => JSON.parse(await text(`/rdap/${path}`)) as { name?: string; status?: string[]; errorCode?: number },
    whois: async (key: string): Promise<string | undefined> =>
      (await portal.db.read.selectFrom('whoisObject').select('text').where('key', '=', key).executeTakeFirst())?.text,
    statistics: () => text('/statistics/delegated-example-extended-latest'),
    transfers: async () =>
      (JSON.parse(await text('/statistics/transfers_latest.json')) as { transfers: Record<string, unknown>[] }).transfers,
  };
}
const heldBy = async (portal: TestPortal, accountName: string): Promise<string[]> =>
  (
    await portal.db.read.rows<{ resource: string }>(
      sql`select resource from delegation where account_name = ${accountName} and status <> 'closed' order by kind, first, first_as`,
    )
  ).map(({ resource }) => resource);

test('a first-time member gets a /24, a /32 and an AS number, and whois, RDAP, statistics and the fee follow', async () => {
  await using portal = await testPortal();
  await portal.db.change(line, change => addDemoPools(change));
  const [max, seen] = [await portal.as('max'), world(portal)];
  const account = 'CORAL-KI';
  expect((await seen.rdap('ip/198.19.169.0/24')).name).not.toBe(account);
  const ask = async (kind: RequestKind, form: Partial<RequestForm>) => {
    const { requestId, fee } = await send(max, account, kind, { network, ...form });
    return { fee, given: (await approveAlone(portal, requestId)).data!.resources };
  };
  const ipv4 = await ask('ipv4', {
    path: 'lir',
    length: 24,
    providerSpace: '100.64.0.0/24',
    plan: [{ purpose: 'Access', amounts: [256, 380, 512] }],
  });
  await ask('ipv6', { path: 'lir', length: 32, sites: 400, startsOn: daysAfter(utcDay(Date.now()), 30) });
  await ask('asn', { multihomed: 'now', neighbours: [{ asn: 'AS64500', name: 'Transit' }] });
  await seen.follow();
  expect(await seen.whois('198.19.169.0 - 198.19.169.255')).toMatch(/netname: +CORAL-KI[^]*status: +ALLOCATED PORTABLE/);
  expect(await seen.whois('3fff:800::/32')).toMatch(/netname: +CORAL-KI/);
  expect(await seen.whois('as65539')).toMatch(/as-name: +CORAL-KI/);
  expect(await seen.rdap('ip/198.19.169.0/24')).toMatchObject({ name: account, status: ['active'] });
  expect(await seen.rdap('ip/3fff:800::/32')).toMatchObject({ name: account, status: ['active'] });
  expect(await seen.rdap('autnum/65539')).toMatchObject({ name: account, status: ['active'] });
  const file = await seen.statistics();
  for (const record of ['ipv4|198.19.169.0|256', 'ipv6|3fff:800::|32', 'asn|65539|1'])
    expect(file).toMatch(new RegExp(`example\\|KI\\|${record.replaceAll('|', '\\|')}\\|\\d{8}\\|allocated\\|`));
  const counted = (await max(api.feeEstimates.getCountedHoldings, { account })).data!;
  expect(counted.blocks.map(({ name }) => name)).toEqual(['198.19.169.0/24', '3fff:800::/32']);
  expect(counted.asns).toBe(1);
  expect(Number(ipv4.fee!.after)).toBeGreaterThan(0);
});

test('after a merger the other account holds everything, with registrations, whois objects, ROAs and IPv6', async () => {
  await using portal = await testPortal();
  const [corin, olive, seen] = [await portal.as('corin'), await portal.as('olive'), world(portal)];
  const account = 'EXAMPLE-AU';
  await portal.db.change(line, async change => {
    await change.rows(sql`update delegation set hold_until = null where account_name = ${account}`);
    await change.rows(sql`insert into rpki_ca (kind, account_name, handle, enabled_at) values ('member', ${account}, 'abc', now())`);
    await change.rows(sql`insert into roa (account_name, prefix, max_length, asn, comment, created_at)
      values (${account}, '198.18.0.0/19', 24, 64500, '', now()), (${account}, '2001:db8::/32', 48, 64500, '', now())`);
  });
  const everything = await heldBy(portal, account);
  const before = await heldBy(portal, 'OTHER-SG');
  const registered = await portal.db.read.rows(sql`select 1 from assignment where account_name = ${account}`);
  const { requestId, plan: planned } = await send(
    corin,
    account,
    'acquisition',
    {
      resources: everything,
      recipient: 'OTHER-SG',
      reason: 'Merged on 1 November',
      occasion: 'merger',
      legalName: 'Other Cloud Pte. Ltd.',
      startsOn: '2026-11-01',
      withRegistrations: true,
    },
    [await sentFile(corin)],
  );
  expect(planned!.keeps).toEqual([]);
  const offered = (await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId })).data!;
  await olive(api.requests.acknowledgeTransfer, {
    account: 'OTHER-SG',
    requestId,
    body: { version: offered.version, form: emptyForm, documentIds: [await sentFile(olive)], truthful: true },
  });
  expect(await approveByTwo(portal, requestId)).toMatchObject({ state: 'completed' });
  await seen.follow();
  expect(await heldBy(portal, account)).toEqual([]);
  expect((await heldBy(portal, 'OTHER-SG')).toSorted()).toEqual([...before, ...everything].toSorted());
  expect(
    await portal.db.read.rows(sql`select 1 from assignment where account_name = 'OTHER-SG' and delegation_id in
    (select delegation_id from delegation where resource = any(${everything}::text[]))`),
  ).toHaveLength(registered.length);
  const roas = await portal.db.read.rows<{ of: string }>(
    sql`select account_name || ' ' || prefix::text as of from roa where prefix in ('198.18.0.0/19', '2001:db8::/32') order by 1`,
  );
  expect(roas.map(({ of }) => of)).toEqual(['OTHER-SG 198.18.0.0/19', 'OTHER-SG 2001:db8::/32']);
  expect(await seen.rdap('autnum/64500')).toMatchObject({ name: 'OTHER-SG' });
  expect(await seen.whois('2001:db8::/32')).toMatch(/descr: +Other Cloud/);
  expect((await seen.transfers()).at(-1)).toMatchObject({
    type: 'MERGER_ACQUISITION',
    recipient_organization: { name: 'Other Cloud Pte. Ltd.' },
  });
});

test('an account that closes after its acquisition has to hand over everything it holds', async () => {
  await using portal = await testPortal();
  const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
  const account = 'SOUTHSITE-NZ';
  const begun = (await corin(api.requests.startRequest, { account, body: { kind: 'acquisition' } })).data!;
  const save = async (version: number, resources: string[]) =>
    (
      await corin(api.requests.saveRequest, {
        account,
        requestId: begun.requestId,
        body: {
          version,
          form: {
            ...emptyForm,
            resources,
            recipient: 'OTHER-SG',
            reason: 'Merged on 1 November',
            occasion: 'merger',
            legalName: 'Other Cloud Pte. Ltd.',
            startsOn: '2026-11-01',
            closeAfter: true,
          },
          documentIds: [paper],
        },
      })
    ).data!;
  const paper = await sentFile(corin);
  const part = await save(begun.version, ['192.0.2.0/24']);
  expect(part.checks.find(({ checkId }) => checkId === 'closing')).toMatchObject({ state: 'unmet', known: 'Left: 3fff:100::/48' });
  const sending = (version: number) =>
    corin(api.requests.submitRequest, { account, requestId: begun.requestId, body: { version, truthful: true } });
  expect(await sending(part.version)).toMatchObject({ errors: [{ code: 'REQUEST_NOT_ALLOWED' }] });
  const whole = await save(part.version, ['192.0.2.0/24', '3fff:100::/48']);
  expect(whole.plan!.effects.at(-1)).toMatchObject({ what: 'account', on: 'SOUTHSITE-NZ closes when the transfer completes' });
  expect(await sending(whole.version)).toMatchObject({ status: 200 });
  const offered = (await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId: begun.requestId })).data!;
  await olive(api.requests.acknowledgeTransfer, {
    account: 'OTHER-SG',
    requestId: begun.requestId,
    body: { version: offered.version, form: emptyForm, documentIds: [await sentFile(olive)], truthful: true },
  });
  expect(await approveByTwo(portal, begun.requestId)).toMatchObject({ state: 'completed' });
  expect(await heldBy(portal, account)).toEqual([]);
  expect(await heldBy(portal, 'OTHER-SG')).toEqual(expect.arrayContaining(['192.0.2.0/24', '3fff:100::/48']));
  expect(await corin(api.requests.listRequests, { account })).toMatchObject({ status: 404 });
  expect((await portal.mailsTo('corin@example-au.example')).some(({ body }) => body.includes('SOUTHSITE-NZ is closed'))).toBe(true);
});

test('a returned block leaves whois and RDAP, and is reserved in the statistics until its quarantine ends', async () => {
  await using portal = await testPortal();
  const [corin, seen] = [await portal.as('corin'), world(portal)];
  await seen.follow();
  const { requestId } = await send(corin, 'SOUTHSITE-NZ', 'return', {
    resources: ['192.0.2.0/24'],
    reason: 'The site is closed',
    startsOn: '2026-11-01',
  });
  expect(await seen.rdap('ip/192.0.2.0/24')).toMatchObject({ status: ['active', 'locked'] });
  expect(await approveByTwo(portal, requestId)).toMatchObject({ state: 'completed' });
  await seen.follow();
  expect(await seen.whois('192.0.2.0 - 192.0.2.255')).toBeUndefined();
  expect(await seen.statistics()).toMatch(/example\|[A-Z]*\|ipv4\|192\.0\.2\.0\|256\|\d*\|reserved/);
  expect(await heldBy(portal, 'SOUTHSITE-NZ')).not.toContain('192.0.2.0/24');
});

test('a block goes to another registry: the sender pays, nothing stays here, and the log names both registries', async () => {
  await using portal = await testPortal();
  const [corin, stella, seen] = [await portal.as('corin'), await portal.as('stella'), world(portal)];
  const account = 'EXAMPLE-AU';
  await portal.db.change(line, async change => {
    await change.rows(sql`insert into rpki_ca (kind, account_name, handle, enabled_at) values ('member', ${account}, 'abc', now())`);
    await change.rows(
      sql`insert into roa (account_name, prefix, max_length, asn, comment, created_at) values (${account}, '198.18.64.0/23', 24, 65536, '', now())`,
    );
  });
  const { requestId } = await send(corin, account, 'transfer', {
    resources: ['198.18.64.0/23'],
    otherRegistry: 'RIPE NCC',
    reason: 'Sold to a company in Utrecht',
  });
  const bare = await approveAlone(portal, requestId);
  expect(bare).toMatchObject({ status: 400, errors: [{ field: 'note', message: expect.stringContaining('approval of RIPE NCC') }] });
  expect(await approveByTwo(portal, requestId, 'RIPE NCC: NCC#2026110815')).toMatchObject({
    state: 'awaiting-fee',
    due: { payer: account },
  });
  await payFee(portal, requestId);
  await completePaid(portal);
  await seen.follow();
  expect((await stella(api.requestDesk.getStaffRequest, { requestId })).data).toMatchObject({ state: 'completed' });
  expect(await heldBy(portal, account)).toContain('198.18.66.0/24');
  expect(await portal.db.read.rows(sql`select 1 from roa where prefix = '198.18.64.0/23'`)).toEqual([]);
  expect(await portal.db.read.rows(sql`select 1 from whois_object where first >= '198.18.64.0' and last <= '198.18.65.255'`)).toEqual([]);
  expect(await seen.statistics()).not.toMatch(/\|198\.18\.64\.0\|/);
  expect((await seen.transfers()).at(-1)).toMatchObject({ source_rir: 'APNIC', recipient_rir: 'RIPE NCC' });
});

test('a block comes from another registry: need is shown here, and the account gets it once both registries approve', async () => {
  await using portal = await testPortal();
  const [olive, seen] = [await portal.as('olive'), world(portal)];
  const account = 'OTHER-SG';
  const form = {
    incoming: true,
    otherRegistry: 'ARIN',
    legalName: 'Prairie Hosting Inc.',
    resources: ['100.66.0.0/22', 'AS65545'],
    plan,
    network,
  };
  const { requestId, role, otherParty, plan: planned } = await send(olive, account, 'transfer', form);
  expect({ role, otherParty, moves: planned!.moves, payer: planned!.fee!.payer }).toEqual({
    role: 'recipient',
    otherParty: 'ARIN',
    moves: ['100.66.0.0/22', 'AS65545'],
    payer: account,
  });
  const second = (await olive(api.requests.startRequest, { account, body: { kind: 'transfer', incoming: true } })).data!;
  const saved = await olive(api.requests.saveRequest, {
    account,
    requestId: second.requestId,
    body: { version: second.version, form: { ...emptyForm, ...form, resources: ['198.18.64.0/23'] }, documentIds: [] },
  });
  expect(
    await olive(api.requests.submitRequest, {
      account,
      requestId: second.requestId,
      body: { version: saved.data!.version, truthful: true },
    }),
  ).toMatchObject({ errors: [{ code: 'REQUEST_NOT_ALLOWED', message: expect.stringContaining('198.18.64.0 - 198.18.66.255') }] });
  await approveByTwo(portal, requestId, 'ARIN-20261120-X4471');
  await payFee(portal, requestId);
  await completePaid(portal);
  await seen.follow();
  expect(await heldBy(portal, account)).toEqual(expect.arrayContaining(['100.66.0.0/22', 'AS65545']));
  expect(await seen.rdap('ip/100.66.0.0/22')).toMatchObject({ name: account, status: ['active'] });
  expect((await seen.transfers()).at(-1)).toMatchObject({
    source_rir: 'ARIN',
    recipient_rir: 'APNIC',
    source_organization: { name: 'Prairie Hosting Inc.' },
  });
});
