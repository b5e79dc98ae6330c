import { api } from '@portal/contract/api';
import { DAY_MS } from '@portal/contract/days';
import { emptyForm, type RequestForm } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { approveByTwo, completePaid, payFee } from '../../../../test/deciding-requests.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../../test/portal.ts';
import { syncRegistryObjects } from '../../whois/index.ts';
import { runRequestDeadlines } from '../request-deadlines.ts';

type Plans = RequestForm['plans'];
const account = 'EXAMPLE-AU';
const block = '198.18.64.0 - 198.18.66.255';
const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };
const plan = [{ purpose: 'Hosting', amounts: [0, 512, 1024, 1536, 2048] }];
const network = 'Two cities, one border router each.';

/** An object of each kind on the block: a registration, a ROA, a route, a network and a zone in whois, a contact and a geofeed of the block itself. */
async function scene(kind: Parameters<typeof testPortal>[0]) {
  const portal = await testPortal(kind);
  await syncRegistryObjects(portal.db, portal.context.profile);
  await portal.db.change(line, async change => {
    await change.rows(sql`insert into rpki_ca (kind, account_name, handle, enabled_at) values ('member', ${account}, 'abc', now())`);
    await change.rows(
      sql`insert into roa (account_name, prefix, max_length, asn, comment, created_at) values (${account}, '198.18.64.0/23', 24, 65536, '', now())`,
    );
    for (const [objectClass, key, text] of [
      ['route', '198.18.64.0/23as65536', 'route: 198.18.64.0/23\norigin: AS65536\nsource: EXAMPLE\n'],
      ['domain', '64.18.198.in-addr.arpa', 'domain: 64.18.198.in-addr.arpa\nsource: EXAMPLE\n'],
    ])
      await change.rows(sql`insert into whois_object (class, key, shown, text, version, first, last, registry_maintained, kept, created_at, changed_at)
        values (${objectClass}, ${key}, ${key}, ${text}, 1, '198.18.64.0', ${objectClass === 'route' ? '198.18.65.255' : '198.18.64.255'}, false, false, now(), now())`);
    await change.rows(sql`update whois_object set text = replace(text, 'country:', E'geofeed:        https://example.net/geo.csv\ncountry:')
      where class = 'inetnum' and kept and first = '198.18.64.0' and last = '198.18.66.255'`);
  });
  return portal;
}

/** Sends the block to OTHER-SG with these plans; acknowledgement, fee and approvals follow. */
async function transfer(portal: TestPortal, plansOf: (names: Record<string, string>) => Plans) {
  const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
  const { requestId, version } = (await corin(api.requests.startRequest, { account, body: { kind: 'transfer' } })).data!;
  const form = { ...emptyForm, resources: [block], recipient: 'OTHER-SG', reason: 'Sold' };
  const draft = (await corin(api.requests.saveRequest, { account, requestId, body: { version, form, documentIds: [] } })).data!;
  const names = Object.fromEntries(draft.plan!.effects.map(({ what, name }) => [what, name]));
  const plans = plansOf(names);
  const saved = (
    await corin(api.requests.saveRequest, {
      account,
      requestId,
      body: { version: draft.version, form: { ...form, plans }, documentIds: [] },
    })
  ).data!;
  await corin(api.requests.submitRequest, { account, requestId, body: { version: saved.version, truthful: true } });
  const offered = (await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId })).data!;
  const answered = await olive(api.requests.acknowledgeTransfer, {
    account: 'OTHER-SG',
    requestId,
    body: { version: offered.version, form: { ...emptyForm, plan, network }, documentIds: [], truthful: true },
  });
  expect(answered).toMatchObject({ status: 200 });
  await approveByTwo(portal, requestId);
  await payFee(portal, requestId);
  await completePaid(portal);
  await syncRegistryObjects(portal.db, portal.context.profile);
  return { requestId, names, saved, offered };
}

/** Returns the objects of each kind with their present holders. */
async function there(portal: TestPortal): Promise<Record<string, boolean>> {
  const [row] = await portal.db.read.rows<Record<string, boolean>>(sql`select
    exists (select from assignment where account_name = 'OTHER-SG' and resource = '198.18.64.0/23') as registration,
    exists (select from roa where account_name = 'OTHER-SG' and prefix = '198.18.64.0/23') as roa,
    exists (select from whois_object where class = 'route' and shown = '198.18.64.0/23as65536') as route,
    exists (select from whois_object where class = 'domain' and shown = '64.18.198.in-addr.arpa') as reverse,
    exists (select from whois_object where class = 'inetnum' and kept and kept_for = 'OTHER-SG' and first = '198.18.64.0' and text like '%geo.csv%') as geofeed`);
  return row!;
}
const every = { registration: true, roa: true, route: true, reverse: true, geofeed: true };
const none = { registration: false, roa: false, route: false, reverse: false, geofeed: false };
const kindsOfObjects = ['registration', 'roa', 'route', 'reverse', 'geofeed'] as const;
const all =
  (act: Plans[number]['act']) =>
  (names: Record<string, string>): Plans =>
    kindsOfObjects.map(what => ({ what, name: names[what]!, act }));

describe.each(kindsForRules)('plans for the objects of a transfer on %s', kind => {
  test('each kind of object moves, or ends, as the plan for it says', async () => {
    for (const [act, expected] of [
      ['move', every],
      ['end', none],
    ] as const) {
      await using portal = await scene(kind);
      const { saved, offered } = await transfer(portal, all(act));
      expect(await there(portal)).toEqual(expected);
      // Both parties read the same plan beforehand.
      const acts = (request: typeof saved) => request.plan!.effects.map(({ what, act: one, plan: chosen }) => `${what} ${one} ${chosen}`);
      expect(acts(offered)).toEqual(acts(saved));
    }
  });

  test('held objects move along, and end on their day unless the recipient keeps them', async () => {
    await using portal = await scene(kind);
    const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
    const { requestId, names } = await transfer(portal, all('hold'));
    expect(await there(portal)).toEqual(every);
    const inputOf = (accountName: string) => ({ account: accountName, requestId });
    const { held } = (await olive(api.requests.getRequest, inputOf('OTHER-SG'))).data!;
    expect(held.map(({ what, state }) => `${what} ${state}`).toSorted()).toEqual(kindsOfObjects.map(what => `${what} held`).toSorted());
    expect((await corin(api.requests.getRequest, inputOf(account))).data!.held).toEqual(held);
    const idOf = (what: string) => held.find(each => each.what === what)!.heldId;
    // The sender can't keep anything, and no one can keep objects of another case.
    expect(await corin(api.requests.keepHeld, { ...inputOf(account), body: { heldIds: [idOf('roa')] } })).toMatchObject({ status: 404 });
    expect(await olive(api.requests.keepHeld, { ...inputOf('OTHER-SG'), body: { heldIds: ['999999'] } })).toMatchObject({ status: 404 });
    const kept = await olive(api.requests.keepHeld, { ...inputOf('OTHER-SG'), body: { heldIds: [idOf('roa'), idOf('geofeed')] } });
    expect(
      kept
        .data!.held.filter(({ state }) => state === 'kept')
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual([names['geofeed']!, names['roa']!].toSorted());
    const after = (days: number) => runRequestDeadlines(portal.db, new Date(Date.now() + days * DAY_MS), portal.context.profile);
    await after(29);
    expect(await there(portal)).toEqual(every);
    await after(31);
    await after(31);
    expect(await there(portal)).toEqual({ ...none, roa: true, geofeed: true });
    const late = await olive(api.requests.keepHeld, { ...inputOf('OTHER-SG'), body: { heldIds: [idOf('route')] } });
    expect(late).toMatchObject({ status: 409, errors: [{ code: 'REQUEST_STATE' }] });
    expect(
      (await portal.mailsTo('olive@other-sg.example')).filter(({ subject }) => subject.includes('what the transfer held')),
    ).toHaveLength(1);
  });

  test('a contact of the block stays named while it is held, and is then replaced by the recipient’s', async () => {
    await using portal = await scene(kind);
    const textOf = async (): Promise<string> =>
      (
        await portal.db.read.rows<{ text: string }>(
          sql`select text from whois_object where class = 'inetnum' and kept and first = '198.18.64.0' and last = '198.18.66.255'`,
        )
      )[0]!.text;
    const handle = /admin-c: +(\S+)/.exec(await textOf())![1]!;
    await transfer(portal, () => [{ what: 'contact', name: handle, act: 'hold' }]);
    expect(await textOf()).toContain(handle);
    await runRequestDeadlines(portal.db, new Date(Date.now() + 31 * DAY_MS), portal.context.profile);
    await syncRegistryObjects(portal.db, portal.context.profile);
    expect(await textOf()).not.toContain(handle);
    expect(await textOf()).toMatch(/admin-c: +\S+/);
  });
});
