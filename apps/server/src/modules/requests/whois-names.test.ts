import { api } from '@portal/contract/api';
import { emptyForm, type RequestForm, type RequestKind } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { approveAlone, approveByTwo, completePaid, payFee, sendRequest } from '../../../test/deciding-requests.ts';
import { type Kind, kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { checkInvariants } from '../../platform/invariants.ts';
import { addDemoPools } from '../resources/demo-pools.ts';
import { syncRegistryObjects } from '../whois/index.ts';

type Person = Awaited<ReturnType<TestPortal['as']>>;
const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };
const plan = [{ purpose: 'Hosting', amounts: [256, 512, 1024, 1536, 2048] }];
const network = 'Two cities, one border router each.';
const asn: Partial<RequestForm> = { multihomed: 'now', neighbours: [{ asn: 'AS64496', name: 'Transit' }], network };
const ipv4: Partial<RequestForm> = { path: 'lir', length: 24, providerSpace: '100.64.0.0/24', plan, network };
const incoming: Partial<RequestForm> = {
  incoming: true,
  otherRegistry: 'ARIN',
  legalName: 'Prairie Hosting Inc.',
  resources: ['100.66.0.0/22', 'AS65545'],
  plan,
  network,
};

async function scene(kind?: Kind, { pools = true } = {}): Promise<TestPortal> {
  const portal = await testPortal(kind);
  await portal.db.change(line, async change => {
    if (pools) await addDemoPools(change);
    await change.rows(sql`update delegation set hold_until = null where account_name = 'EXAMPLE-AU'`);
  });
  await syncRegistryObjects(portal.db, portal.context.profile);
  return portal;
}
const sync = (portal: TestPortal) => syncRegistryObjects(portal.db, portal.context.profile);

/** Lines of the object of a class over a resource. */
async function linesOf(portal: TestPortal, objectClass: string, first: string): Promise<Record<string, string[]>> {
  const [row] = await portal.db.read.rows<{ text: string }>(sql`select text from whois_object where class = ${objectClass}
    and (host(first) = ${first} or shown = ${first} or upper(key) = upper(${first})) and (kept or class = 'irt') order by object_id limit 1`);
  const lines: Record<string, string[]> = {};
  for (const [, name, value] of (row?.text ?? '').matchAll(/^([a-z0-9-]+):\s*(.*)$/gm)) lines[name!] = [...(lines[name!] ?? []), value!];
  return lines;
}
const approvedAsn = async (portal: TestPortal, person: Person, account: string, form: Partial<RequestForm> = {}): Promise<string> => {
  const { requestId } = await sendRequest(person, account, 'asn', { ...asn, ...form });
  const done = await approveAlone(portal, requestId);
  expect(done.errors).toBeUndefined();
  await sync(portal);
  return done.data!.resources[0]!;
};
const reportsToRegistry = async (portal: TestPortal) =>
  (await checkInvariants(portal.context, null)).filter(({ name }) => name === 'whois.abuseContacts');

describe.each(kindsForRules)('names of numbers in whois, on %s', kind => {
  test('a member without requested names gets its own names, and an irt of its abuse e-mail, never the registry’s', async () => {
    await using portal = await scene(kind);
    const max = await portal.as('max');
    const number = await approvedAsn(portal, max, 'CORAL-KI');
    expect(await linesOf(portal, 'aut-num', number)).toMatchObject({ 'as-name': ['CORAL-KI'], 'mnt-irt': ['IRT-CORAL-KI'] });
    expect(await linesOf(portal, 'irt', 'IRT-CORAL-KI')).toMatchObject({
      'abuse-mailbox': ['abuse@coral-ki.example'],
      'e-mail': ['abuse@coral-ki.example'],
    });
    // Later changes of the organisation reach its irt.
    await portal.db.change(line, change =>
      change.rows(sql`update organisation set abuse_email = 'reports@coral-ki.example' where account_name = 'CORAL-KI'`),
    );
    await sync(portal);
    expect(await linesOf(portal, 'irt', 'IRT-CORAL-KI')).toMatchObject({ 'abuse-mailbox': ['reports@coral-ki.example'] });
    expect(await portal.db.read.rows(sql`select 1 from whois_object where class = 'irt' and kept_for = 'CORAL-KI'`)).toHaveLength(1);
    expect(await reportsToRegistry(portal)).toEqual([]);
    // Without any, its objects name none.
    await portal.db.change(line, change => change.rows(sql`update organisation set abuse_email = '' where account_name = 'CORAL-KI'`));
    await sync(portal);
    expect((await linesOf(portal, 'aut-num', number))['mnt-irt'] ?? []).not.toContain('IRT-EXAMPLE-HM');
    expect(await reportsToRegistry(portal)).toEqual([]);
  });

  test('requested names are in the object after approval, and stay when the organisation changes', async () => {
    await using portal = await scene(kind);
    const olive = await portal.as('olive');
    const { whois } = (await olive(api.requests.startRequest, { account: 'OTHER-SG', body: { kind: 'asn' } })).data!;
    expect(whois!.defaults).toMatchObject({
      netname: 'OTHER-SG',
      maintainer: 'MAINT-SG-OTHER',
      abuseMailbox: expect.stringContaining('@'),
    });
    const person = whois!.contacts.find(handle => handle !== whois!.defaults.adminContact)!;
    const names = { netname: 'OTHER-EDGE', techContact: person, maintainer: 'maint-sg-other', abuseMailbox: 'edge-abuse@other-sg.example' };
    const number = await approvedAsn(portal, olive, 'OTHER-SG', names);
    const wanted = {
      'as-name': ['OTHER-EDGE'],
      'admin-c': [whois!.defaults.adminContact],
      'tech-c': [person],
      'mnt-lower': ['MAINT-SG-OTHER'],
      'mnt-routes': ['MAINT-SG-OTHER'],
      'mnt-irt': ['IRT-OTHER-SG'],
    };
    expect(await linesOf(portal, 'aut-num', number)).toMatchObject(wanted);
    expect(await linesOf(portal, 'irt', 'IRT-OTHER-SG')).toMatchObject({ 'abuse-mailbox': ['edge-abuse@other-sg.example'] });
    await portal.db.change(line, change => change.rows(sql`update account set org_name = 'Renamed' where account_name = 'OTHER-SG'`));
    await sync(portal);
    expect(await linesOf(portal, 'aut-num', number)).toMatchObject({ ...wanted, descr: ['Renamed'] });
    expect(await reportsToRegistry(portal)).toEqual([]);
  });
});

test('an approval by the desk, space from another registry and a transfer follow the same rule', async () => {
  // Incoming space is in no pool here.
  await using portal = await scene(undefined, { pools: false });
  const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
  const names = { netname: 'SEA-NORTH', abuseMailbox: 'north@other-sg.example' };
  // From another registry.
  const received = await sendRequest(olive, 'OTHER-SG', 'transfer', { ...incoming, ...names });
  expect(received.whois).toMatchObject({ defaults: { netname: 'OTHER-SG' } });
  await approveByTwo(portal, received.requestId, 'ARIN-20261120-X4471');
  await payFee(portal, received.requestId);
  await completePaid(portal);
  await sync(portal);
  expect(await linesOf(portal, 'inetnum', '100.66.0.0')).toMatchObject({ netname: ['SEA-NORTH'], 'mnt-irt': ['IRT-OTHER-SG'] });
  expect(await linesOf(portal, 'aut-num', 'AS65545')).toMatchObject({ 'as-name': ['SEA-NORTH'], 'mnt-irt': ['IRT-OTHER-SG'] });
  // From another member.
  const offer = await sendRequest(corin, 'EXAMPLE-AU', 'transfer', {
    recipient: 'OTHER-SG',
    reason: 'Sold',
    resources: ['198.18.16.0/21'],
  });
  expect(offer.whois).toBeNull();
  const offered = (await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId: offer.requestId })).data!;
  expect(offered.whois).toMatchObject({ maintainers: ['MAINT-SG-OTHER'] });
  const acknowledge = (given: Partial<RequestForm>) =>
    olive(api.requests.acknowledgeTransfer, {
      account: 'OTHER-SG',
      requestId: offer.requestId,
      body: { version: offered.version, form: { ...emptyForm, plan, network, ...given }, documentIds: [], truthful: true },
    });
  const refused = (await acknowledge({ maintainer: 'MAINT-AU-EXAMPLE', netname: 'A B' })).errors!;
  expect(new Set(refused.map(({ field }) => field))).toEqual(new Set(['maintainer', 'netname']));
  expect((await acknowledge({ netname: 'SEA-SOUTH' })).errors).toBeUndefined();
  const { state } = await approveByTwo(portal, offer.requestId);
  if (state === 'awaiting-fee') {
    await payFee(portal, offer.requestId);
    await completePaid(portal);
  }
  const own = await linesOf(portal, 'inetnum', '198.51.100.0');
  // In the change that moved it: no sync is needed.
  expect(await linesOf(portal, 'inetnum', '198.18.16.0')).toMatchObject({ netname: ['SEA-SOUTH'], 'mnt-irt': own['mnt-irt'] });
  expect(await linesOf(portal, 'inetnum', '198.18.0.0')).toMatchObject({ netname: ['EXAMPLE-AU'] });
  await sync(portal);
  expect(await reportsToRegistry(portal)).toEqual([]);
});

test('a delegation for a member of a national registry names that member', async () => {
  await using portal = await scene();
  const nils = await portal.as('nils');
  const account = 'NATREG-XX';
  const entity = (await nils(api.nirEntities.addEntity, { account, body: { name: 'Northnet Telecom' } })).data;
  const body = { name: 'WHOIS-ZZ', entityId: entity!.entityId };
  const { subaccountId } = (await nils(api.nirSubaccounts.addSubaccount, { account, body })).data!;
  const started = (await nils(api.subaccountRequests.startSubaccountRequest, { account, body: { kind: 'asn', subaccountId } })).data!;
  const { requestId } = started;
  const form = { ...started.form, ...asn, netname: 'XX-MEMBER' };
  const saved = await nils(api.requests.saveRequest, { account, requestId, body: { version: started.version, form, documentIds: [] } });
  expect(
    (await nils(api.requests.submitRequest, { account, requestId, body: { version: saved.data!.version, truthful: true } })).errors,
  ).toBeUndefined();
  const done = await approveAlone(portal, requestId);
  await sync(portal);
  const lines = await linesOf(portal, 'aut-num', done.data!.resources[0]!);
  expect(lines).toMatchObject({ 'as-name': ['XX-MEMBER'], descr: [expect.any(String), entity!.name] });
  expect(lines['mnt-irt']).toEqual(['IRT-XX-NATREG']);
});

describe('names that can’t be taken', () => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await scene();
    return () => portal[Symbol.asyncDispose]();
  });

  test.each<[kind: RequestKind, given: Partial<RequestForm>, field: string, words: RegExp]>([
    ['asn', { ...asn, netname: '1-NET' }, 'netname', /starts with a letter/],
    ['asn', { ...asn, netname: 'AS-NET' }, 'netname', /don’t start with AS-/],
    ['ipv4', { ...ipv4, netname: 'any' }, 'netname', /word of the policy language/],
    ['asn', { ...asn, adminContact: 'ZZ99-EX' }, 'adminContact', /ZZ99-EX isn’t a contact of OTHER-SG. Enter one of its own, such as/],
    ['asn', { ...asn, techContact: 'ERH1-EX' }, 'techContact', /isn’t a contact of OTHER-SG/],
    ['asn', { ...asn, maintainer: 'MAINT-AU-EXAMPLE' }, 'maintainer', /isn’t a maintainer of OTHER-SG.*MAINT-SG-OTHER/],
    ['asn', { ...asn, abuseMailbox: 'abuse' }, 'abuseMailbox', /such as abuse@/],
    ['asn', { ...asn, abuseMailbox: 'Hostmaster@registry.example' }, 'abuseMailbox', /is the registry’s/],
    ['transfer', { ...incoming, netname: 'A B' }, 'netname', /letters, digits/],
    ['transfer', { ...incoming, maintainer: 'EXAMPLE-HM' }, 'maintainer', /isn’t a maintainer of OTHER-SG/],
  ])('%s with %o is refused', async (kind, given, field, words) => {
    const olive = await portal.as('olive');
    const { requestId, version } = (
      await olive(api.requests.startRequest, { account: 'OTHER-SG', body: { kind, incoming: given.incoming ?? false } })
    ).data!;
    const saved = await olive(api.requests.saveRequest, {
      account: 'OTHER-SG',
      requestId,
      body: { version, form: { ...emptyForm, ...given }, documentIds: [] },
    });
    const refused = await olive(api.requests.submitRequest, {
      account: 'OTHER-SG',
      requestId,
      body: { version: saved.data!.version, truthful: true },
    });
    expect(refused).toMatchObject({ status: 400, errors: [{ field, message: expect.stringMatching(words) }] });
  });
});

test('a member without an abuse mailbox learns where to set it, or enters one in the form', async () => {
  await using portal = await scene();
  await portal.db.change(line, change => change.rows(sql`update organisation set abuse_email = '' where account_name = 'CORAL-KI'`));
  const max = await portal.as('max');
  const eligible = (await max(api.requests.getEligibility, { account: 'CORAL-KI', kind: 'asn' })).data!;
  expect(eligible.checks.find(({ checkId }) => checkId === 'abuse-contact')).toMatchObject({
    state: 'unmet',
    known: 'The account has no mailbox for abuse reports',
    fix: { path: '/member-account-settings/organization-details' },
  });
  expect(eligible.why).toBeNull();
  await expect(sendRequest(max, 'CORAL-KI', 'asn', asn)).rejects.toThrow('no mailbox for abuse reports');
  const number = await approvedAsn(portal, max, 'CORAL-KI', { abuseMailbox: 'noc@coral-ki.example' });
  expect(await linesOf(portal, 'aut-num', number)).toMatchObject({ 'mnt-irt': ['IRT-CORAL-KI'] });
  expect(await linesOf(portal, 'irt', 'IRT-CORAL-KI')).toMatchObject({ 'abuse-mailbox': ['noc@coral-ki.example'] });
});
