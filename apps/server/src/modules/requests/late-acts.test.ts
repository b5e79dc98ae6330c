import { api } from '@portal/contract/api';
import { DAY_MS, daysAfter, HOUR_MS, instantAfter, MINUTE_MS, utcDay } from '@portal/contract/days';
import { emptyForm, type RequestForm } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { approveAlone, approveByTwo, completePaid, payFee, sendRequest } from '../../../test/deciding-requests.ts';
import { type TestPortal, testPortal } from '../../../test/portal.ts';
import { sentFile } from '../../../test/sample-files.ts';
import { closeAccount } from '../organisations/index.ts';
import { addDemoPools } from '../resources/demo-pools.ts';
import { releaseLocks } from '../resources/locks.ts';
import { followWaiting } from '../reverse-dns/waiting.ts';
import { syncRegistryObjects } from '../whois/index.ts';
import { endEventSpace } from './event-space.ts';
import { requestsInvariants } from './invariants.ts';
import { runRequestDeadlines } from './request-deadlines.ts';

const [seller, buyer] = ['EXAMPLE-AU', 'OTHER-SG'];
const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };
const plan = [{ purpose: 'Hosting', amounts: [0, 512, 1024, 1536, 2048] }];
const network = 'Two cities, one border router each.';
const sold = '198.18.8.0/21';
type Person = Awaited<ReturnType<TestPortal['as']>>;
type Parties = { from: string; to: string; sender: string; recipient: string };
const parties: Parties = { from: seller, to: buyer, sender: 'corin', recipient: 'olive' };

/** The demo registry, where the seller may sell its space and name servers are checked first; none of them answers. */
async function scene(): Promise<TestPortal> {
  const portal = await testPortal(undefined, { DNS_CHECK_FIRST: 'on', DNS_RESOLVERS: '127.0.0.1:9', DNS_TIMEOUT_MS: '100' });
  await syncRegistryObjects(portal.db, portal.context.profile);
  await portal.db.change(line, async change => {
    await change.rows(sql`update delegation set hold_until = null where account_name = ${seller}`);
    await change.rows(sql`insert into rpki_ca (kind, account_name, handle, enabled_at) values ('member', ${seller}, 'abc', now())`);
    await change.rows(
      sql`insert into roa (account_name, prefix, max_length, asn, comment, created_at) values (${seller}, '198.18.10.0/24', 24, 65536, '', now())`,
    );
  });
  return portal;
}
const run = (portal: TestPortal, query: ReturnType<typeof sql>) => portal.db.change(line, change => change.rows(query));
const freeze = (portal: TestPortal, username: string) =>
  run(portal, sql`update login set frozen_at = now(), frozen_email = email where username = ${username}`);
const thaw = (portal: TestPortal, username: string) =>
  run(portal, sql`update login set frozen_at = null, frozen_email = null where username = ${username}`);
const upload = async (person: Person, account: string, text: string) =>
  (await person(api.whois.uploadText, { account, body: { text, dryRun: false } })).data!.outcomes!.map(({ state }) => state);
const routeText = (prefix: string, origin = 'AS65536', mntBy = 'MAINT-AU-EXAMPLE') =>
  `route: ${prefix}\ndescr: Network\norigin: ${origin}\nmnt-by: ${mntBy}\nsource: EXAMPLE\n`;
const hasRoute = async (portal: TestPortal, shown: string) =>
  (await portal.db.read.rows(sql`select from whois_object where class = 'route' and key = ${shown.toLowerCase()}`)).length === 1;
const roasOf = (portal: TestPortal) =>
  portal.db.read.rows<{ accountName: string }>(sql`select account_name from roa where prefix = '198.18.10.0/24'`);

/** Sends a transfer, which its recipient acknowledges. */
async function acknowledged(
  portal: TestPortal,
  form: Partial<RequestForm>,
  answer: Partial<RequestForm> = {},
  { from, to, sender, recipient }: Parties = parties,
) {
  const [one, other] = [await portal.as(sender), await portal.as(recipient)];
  const sent = await sendRequest(one, from, 'transfer', {
    resources: [sold],
    recipient: to,
    reason: 'Sold',
    withRegistrations: true,
    withRoas: true,
    ...form,
  });
  const { requestId } = sent;
  const { version } = (await other(api.requests.getRequest, { account: to, requestId })).data!;
  const body = { version, form: { ...emptyForm, plan, network, ...answer }, truthful: true as const };
  expect((await other(api.requests.acknowledgeTransfer, { account: to, requestId, body })).errors).toBeUndefined();
  return requestId;
}
async function sell(portal: TestPortal, form: Partial<RequestForm> = {}, between: Parties = parties) {
  const requestId = await acknowledged(portal, form, {}, between);
  const { state } = await approveByTwo(portal, requestId);
  if (state === 'awaiting-fee') {
    await payFee(portal, requestId);
    await completePaid(portal);
  }
  expect((await (await portal.as('stella'))(api.requestDesk.getStaffRequest, { requestId })).data!.state).toBe('completed');
}

const zone = '9.18.198.in-addr.arpa';
/** Requests a zone that waits for its servers. Returns a function that makes them ready. */
async function zoneThatWaits(portal: TestPortal) {
  const contact = 'ENO1-EX';
  const body = {
    adminC: contact,
    techC: contact,
    zoneC: contact,
    mntBy: 'MAINT-AU-EXAMPLE',
    zones: [zone],
    servers: ['ns1.example.net', 'ns2.example.net'],
  };
  const asked = await (await portal.as('tess'))(api.waitingDelegations.waitForServers, { account: seller, body });
  expect(asked.errors).toBeUndefined();
  const follow = async (minutes: number) => {
    const at = new Date(instantAfter(new Date(), minutes * MINUTE_MS));
    await followWaiting({ ...portal.context, clock: () => at });
    await portal.runTasks();
  };
  await follow(0);
  return async () => {
    await run(portal, sql`update rdns_check set grade = 'ok' where zone = ${zone}`);
    await follow(1);
    return (await portal.db.read.rows<{ state: string }>(sql`select state from rdns_waiting`))[0]!.state;
  };
}
/** Asks the holder of an AS number for consent to a route. Returns a function that gives it. */
async function routeThatWaits(portal: TestPortal, third: number) {
  const text = routeText(`198.18.${third}.0/24`, 'AS64501');
  const asked = await (await portal.as('tess'))(api.whoisConsents.askForConsent, { account: seller, body: { text } });
  const { consentId } = asked.data!.consent!;
  const answer = { account: buyer, consentId: String(consentId), body: { agree: true, reason: '' } };
  return async () => (await (await portal.as('olive'))(api.whoisConsents.answerConsent, answer)).data!.consent.state;
}

test('pending work of a seller isn’t done after the sale: a waiting zone, a waiting route, undoing a change', async () => {
  await using portal = await scene();
  const corin = await portal.as('corin');
  const [serversReady, consents] = [await zoneThatWaits(portal), await routeThatWaits(portal, 9)];
  const save = async (changes: object) => {
    const { version } = (await corin(api.routes.listRoutes, { account: seller, query: { limit: 1 } })).data!;
    const body = { add: [], change: [], remove: [], adopt: [], text: '', version, ...changes };
    return (await corin(api.routes.saveRoutes, { account: seller, body })).data!;
  };
  await save({ add: [{ prefix: '198.18.12.0/24', asn: 'AS64500', roa: true }] });
  const { rows } = (await corin(api.routes.listRoutes, { account: seller, query: { q: '198.18.12.0/24' } })).data!;
  const { changeId } = await save({ remove: [{ routeId: rows.find(({ prefix }) => prefix === '198.18.12.0/24')!.routeId }] });
  await sell(portal);
  expect(await serversReady()).toBe('refused');
  expect(await consents()).toBe('failed');
  expect((await corin(api.routes.undoChange, { account: seller, changeId })).errors).toBeDefined();
  expect(await portal.db.read.rows(sql`select 1 from roa where prefix = '198.18.12.0/24'`)).toEqual([]);
});

test('pending work of a frozen login or a closed account isn’t done: a zone, a route, a task', async () => {
  await using portal = await scene();
  const [serversReady, consents] = [await zoneThatWaits(portal), await routeThatWaits(portal, 20)];
  const corin = await portal.as('corin');
  const task = (await corin(api.whois.uploadText, { account: seller, body: { text: routeText('198.18.11.0/24'), dryRun: false } })).data!;
  await corin(api.tasks.revertTask, { account: seller, taskId: String(task.taskId) });
  await freeze(portal, 'tess');
  await freeze(portal, 'corin');
  await portal.runTasks();
  expect(await hasRoute(portal, '198.18.11.0/24AS65536')).toBe(true);
  expect(await serversReady()).toBe('refused');
  expect(await consents()).toBe('failed');
  await thaw(portal, 'tess');
  const later = await routeThatWaits(portal, 21);
  await portal.db.change(line, change => closeAccount(change, seller));
  expect(await later()).toBe('failed');
});

test('a lock stays while the login of the person who released it is frozen', async () => {
  await using portal = await scene();
  const [corin, tess] = [await portal.as('corin'), await portal.as('tess')];
  const { lockId } = (await corin(api.resourceLocks.addLocks, { account: seller, body: { resources: ['AS64500'] } })).data!.rows[0]!;
  await corin(api.resourceLocks.requestRelease, { account: seller, lockId });
  await tess(api.resourceLocks.confirmRelease, { account: seller, lockId });
  const later = new Date(Date.now() + 100 * HOUR_MS);
  const isLocked = async () =>
    (await portal.db.read.rows(sql`select 1 from resource_lock where released_at is null and account_name = ${seller}`)).length === 1;
  for (const username of ['corin', 'tess']) {
    await freeze(portal, username);
    await releaseLocks(portal.db, later);
    expect(await isLocked()).toBe(true);
    await thaw(portal, username);
  }
  await releaseLocks(portal.db, later);
  expect(await isLocked()).toBe(false);
});

test('ending temporarily held objects deletes neither the recipient’s own nor those passed on to the next holder', async () => {
  await using portal = await scene();
  const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
  for (const third of [10, 11]) expect(await upload(corin, seller, routeText(`198.18.${third}.0/24`))).toEqual(['ok']);
  const plans = [
    ...[10, 11].map(third => ({ what: 'route' as const, name: `198.18.${third}.0/24AS65536`, act: 'hold' as const })),
    { what: 'roa' as const, name: 'AS65536 198.18.10.0/24', act: 'hold' as const },
  ];
  await sell(portal, { plans });
  const held = () =>
    portal.db.read.rows<{ name: string; open: boolean }>(sql`select name, ended_at is null as open from held_object order by name`);
  expect(await held()).toEqual(plans.map(({ name }) => ({ name, open: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1)));
  const later = () => runRequestDeadlines(portal.db, new Date(Date.now() + 31 * DAY_MS), portal.context.profile);
  // Its own ROA in place of the transferred one.
  const change = async (added: boolean) => {
    const { version, rows } = (await olive(api.rpki.listRoas, { account: buyer, query: {} })).data!;
    const add = added ? [{ prefix: '198.18.10.0/24', asn: 'AS65536', maxLength: 24, comment: '' }] : [];
    const remove = added ? [] : rows.filter(({ prefix }) => prefix === '198.18.10.0/24').map(({ roaId }) => roaId);
    expect((await olive(api.rpki.changeRoas, { account: buyer, body: { version, add, remove } })).errors).toBeUndefined();
  };
  await change(false);
  await change(true);
  // One of the routes goes back to its seller.
  await sell(portal, { resources: ['198.18.11.0/24'] }, { from: buyer, to: seller, sender: 'olive', recipient: 'corin' });
  expect((await held()).filter(({ open }) => !open)).toEqual([{ name: '198.18.11.0/24AS65536', open: false }]);
  await later();
  expect(await roasOf(portal)).toEqual([{ accountName: buyer }]);
  expect(await hasRoute(portal, '198.18.11.0/24AS65536')).toBe(true);
  expect(await hasRoute(portal, '198.18.10.0/24AS65536')).toBe(false);
});

test('the part reserved from a pre-approval goes back to that one, and not to its successor', async () => {
  await using portal = await scene();
  const [olive, stella] = [await portal.as('olive'), await portal.as('stella')];
  const grant = async () => {
    const { requestId } = await sendRequest(olive, buyer, 'pre-approval', { blocks: 2, plan, network });
    expect((await approveAlone(portal, requestId)).errors).toBeUndefined();
  };
  const left = async () =>
    (
      await portal.db.read.rows<{ remaining: number }>(
        sql`select remaining from pre_approval where account_name = ${buyer} and replaced_on is null`,
      )
    )[0]!.remaining;
  const orphans = requestsInvariants.find(({ name }) => name === 'requests.preApprovals')!;
  const violations = () => orphans.check({ read: portal.db.read, accounts: null, profile: portal.context.profile } as never);
  await grant();
  const first = await acknowledged(portal, { resources: ['198.18.8.0/23'] }, { usePreApproval: true });
  expect(await left()).toBe(0);
  await grant();
  const second = await acknowledged(portal, { resources: ['198.18.12.0/24'] }, { usePreApproval: true });
  const refuse = (requestId: string) => stella(api.requestDesk.refuseRequest, { requestId, body: { reason: 'No' } });
  expect((await refuse(first)).errors).toBeUndefined();
  expect(await left()).toBe(1);
  expect(await violations()).toEqual([]);
  await run(portal, sql`update pre_approval set remaining = 2 where account_name = ${buyer} and replaced_on is null`);
  expect(await violations()).toMatchObject([{ object: `The pre-approval of ${buyer}` }]);
  await run(portal, sql`update pre_approval set remaining = 1 where account_name = ${buyer} and replaced_on is null`);
  expect((await refuse(second)).errors).toBeUndefined();
  expect(await left()).toBe(2);
});

test('the registry can recover numbers from a suspended or closed account, and a recovery continues when the account closes', async () => {
  await using portal = await scene();
  const stella = await portal.as('stella');
  const recover = async (resource: string) => {
    const body = { resources: [resource], ground: 'unpaid' as const, reason: 'Two invoices are unpaid.' };
    const opened = await stella(api.recoveries.openRecovery, { accountName: seller, body });
    expect(opened.errors).toBeUndefined();
    const { requestId } = opened.data!;
    const yesterday = utcDay(instantAfter(new Date(), -2 * DAY_MS));
    await run(portal, sql`update resource_request set notice_until = ${yesterday}::date where resource_request_id = ${requestId}::bigint`);
    return requestId;
  };
  const suspended = await recover('198.18.8.0/22');
  await run(portal, sql`update account set account_status = 'suspended' where account_name = ${seller}`);
  expect((await approveByTwo(portal, suspended)).state).toBe('completed');
  const open = await recover('198.18.64.0/24');
  await portal.db.change(line, change => closeAccount(change, seller));
  await runRequestDeadlines(portal.db, new Date(), portal.context.profile);
  expect((await approveByTwo(portal, open)).state).toBe('completed');
  expect((await approveByTwo(portal, await recover('AS64500'))).state).toBe('completed');
  expect(await portal.db.read.rows(sql`select 1 from whois_object where class = 'aut-num' and key = 'as64500' and not kept`)).toEqual([]);
});

test('a holder’s lock stays on the kept part when the registry recovers another part', async () => {
  await using portal = await scene();
  const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
  await corin(api.resourceLocks.addLocks, { account: seller, body: { resources: ['198.18.0.0/19'] } });
  const body = { resources: [sold], ground: 'breach' as const, reason: 'Used for something else.' };
  const { requestId } = (await stella(api.recoveries.openRecovery, { accountName: seller, body })).data!;
  await run(portal, sql`update resource_request set notice_until = '2026-01-01' where resource_request_id = ${requestId}::bigint`);
  expect((await approveByTwo(portal, requestId)).state).toBe('completed');
  const { rows } = (await corin(api.resourceLocks.listLocks, { account: seller })).data!;
  expect(rows.map(({ resource }) => resource)).toEqual(['198.18.0.0/21', '198.18.16.0/20']);
});

test('event space is returned after its last day even if its holder locked it', async () => {
  await using portal = await testPortal();
  const account = 'LABNET-AU';
  await portal.db.change(line, addDemoPools);
  const corin = await portal.as('corin');
  const today = utcDay(Date.now());
  const form = {
    path: 'temporary' as const,
    length: 22,
    startsOn: today,
    endsOn: daysAfter(today, 60),
    network: 'One switch in one hall.',
  };
  const { requestId } = await sendRequest(corin, account, 'ipv4', form, [await sentFile(corin)]);
  const [resource] = (await approveAlone(portal, requestId)).data!.resources;
  const locked = await corin(api.resourceLocks.addLocks, { account, body: { resources: [resource!] } });
  expect(locked.errors).toBeUndefined();
  await run(
    portal,
    sql`update delegation set ends_on = ${daysAfter(today, -3)}::date where resource = ${resource!} and status <> 'closed'`,
  );
  await endEventSpace(portal.db, new Date(), portal.context.profile);
  const [opened] = await portal.db.read.rows<{ id: string }>(
    sql`select resource_request_id::text as id from resource_request where account_name = ${account} and kind = 'return'`,
  );
  expect((await approveByTwo(portal, opened!.id)).state).toBe('completed');
});
