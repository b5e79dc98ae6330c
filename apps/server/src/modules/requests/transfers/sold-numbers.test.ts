import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { openRegistry } from '@portal/client';
import { api } from '@portal/contract/api';
import { apiScopeKeys } from '@portal/contract/api-scopes';
import { emptyForm, type RequestForm, type RequestKind } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { run } from '../../../../../registry-command/src/run.ts';
import { connectedAuthority } from '../../../../test/connected-authority.ts';
import { approveByTwo, completePaid, payFee, sendRequest } from '../../../../test/deciding-requests.ts';
import { type TestPortal, testPortal } from '../../../../test/portal.ts';
import { sentFile } from '../../../../test/sample-files.ts';
import { judgeChildren } from '../../rpki/children/child-judgements.ts';
import { publishAll } from '../../rpki/index.ts';
import { listVrps } from '../../rpki/vrps.ts';
import { syncRegistryObjects } from '../../whois/index.ts';

const [seller, buyer] = ['EXAMPLE-AU', 'OTHER-SG'];
const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };
const plan = [{ purpose: 'Hosting', amounts: [0, 512, 1024, 1536, 2048] }];
const network = 'Two cities, one border router each.';
const url = 'https://portal.test';
type Person = Awaited<ReturnType<TestPortal['as']>>;

/** Both accounts have ROAs; the seller's ROA for its whole block allows no longer prefix. */
async function scene(): Promise<TestPortal> {
  const portal = await testPortal();
  await syncRegistryObjects(portal.db, portal.context.profile);
  await portal.db.change(line, async change => {
    await change.rows(sql`update delegation set hold_until = null where account_name = ${seller}`);
    await change.rows(sql`insert into rpki_ca (kind, account_name, handle, enabled_at) values ('member', ${seller}, 'abc', now())`);
    await change.rows(sql`insert into roa (account_name, prefix, max_length, asn, comment, created_at) values
      (${seller}, '198.18.0.0/19', 19, 64500, '', now()), (${seller}, '198.18.8.0/24', 24, 65536, '', now()), (${seller}, '198.18.64.0/23', 23, 64500, '', now())`);
    await change.rows(sql`insert into aspa (account_name, customer, providers, comment, created_at, changed_at)
      values (${seller}, 64500, '{64501,65536}', '', now(), now())`);
  });
  return portal;
}

const texts = {
  route: (prefix: string, mntBy = 'MAINT-AU-EXAMPLE', origin = 'AS65536') =>
    `route: ${prefix}\ndescr: Sold or not\norigin: ${origin}\nmnt-by: ${mntBy}\nsource: EXAMPLE\n`,
  domain: (zone: string, mntBy: string, contact: string, server = 'ns1.example.net') =>
    `domain: ${zone}\ndescr: Reverse zone\nadmin-c: ${contact}\ntech-c: ${contact}\nzone-c: ${contact}\nnserver: ${server}\nnserver: ns2.example.net\nmnt-by: ${mntBy}\nsource: EXAMPLE\n`,
};
const upload = async (person: Person, account: string, text: string) =>
  (await person(api.whois.uploadText, { account, body: { text, dryRun: false } })).data!.outcomes!.map(
    ({ state, problems }) => `${state}${state === 'ok' ? '' : `: ${problems.map(({ message }) => message).join('; ')}`}`,
  );
const objectsIn = (portal: TestPortal, first: string, last: string) =>
  portal.db.read.rows<{ name: string; maintainers: string[] | null }>(sql`select class || ' ' || shown as name,
      (select array_agg(value order by value) from whois_reference r where r.object_id = o.object_id and r.attribute = 'mnt-by') as maintainers
    from whois_object o where not kept and first >= ${first}::inet and last <= ${last}::inet and class in ('inetnum', 'inet6num', 'route', 'route6', 'domain') order by 1`);
const contactOf = async (portal: TestPortal, maintainer: string) =>
  (
    await portal.db.read.rows<{ shown: string }>(
      sql`select o.shown from whois_object o join whois_reference r using (object_id) where o.class = 'role' and r.attribute = 'mnt-by' and r.value = ${maintainer} limit 1`,
    )
  )[0]!.shown;

/** Offers and acknowledges; the signed objects the recipient accepts are in its form. */
async function acknowledged(portal: TestPortal, kind: RequestKind, form: Partial<RequestForm>, answer: Partial<RequestForm> = {}) {
  const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
  const papers = kind === 'acquisition' ? [await sentFile(corin)] : [];
  const sent = await sendRequest(corin, seller, kind, { recipient: buyer, reason: 'Sold', ...form }, papers);
  const { requestId } = sent;
  const offered = (await olive(api.requests.getRequest, { account: buyer, requestId })).data!;
  const body = {
    version: offered.version,
    form: { ...emptyForm, plan, network, ...answer },
    documentIds: kind === 'acquisition' ? [await sentFile(olive)] : [],
    truthful: true as const,
  };
  const done = await olive(api.requests.acknowledgeTransfer, { account: buyer, requestId, body });
  expect(done.errors).toBeUndefined();
  return { requestId, planned: done.data!.plan!, offered: offered.plan! };
}
async function complete(portal: TestPortal, requestId: string) {
  const { state } = await approveByTwo(portal, requestId);
  if (state === 'awaiting-fee') {
    await payFee(portal, requestId);
    await completePaid(portal);
  }
  expect((await (await portal.as('stella'))(api.requestDesk.getStaffRequest, { requestId })).data!.state).toBe('completed');
}
const linesOf = (effects: readonly { what: string; name: string; act: string }[]) =>
  effects.map(({ what, name, act }) => `${what} ${name}: ${act}`);

test('once a transfer commits, the seller can’t write anything in the sold space, by page, text, API or file, and the buyer can', async () => {
  await using portal = await scene();
  const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
  const key = (await corin(api.apiKeys.createApiKey, { account: seller, body: { label: 'attack', scopes: [...apiScopeKeys], days: 30 } }))
    .data!.secret!;
  const contact = await contactOf(portal, 'maint-au-example');
  // Before: the seller leaves objects behind, and a task to undo.
  expect(await upload(corin, seller, texts.route('198.18.10.0/24'))).toEqual(['ok']);
  expect(await upload(corin, seller, texts.domain('8.18.198.in-addr.arpa', 'MAINT-AU-EXAMPLE', contact))).toEqual(['ok']);
  const task = (await corin(api.whois.uploadText, { account: seller, body: { text: texts.route('198.18.11.0/24'), dryRun: false } })).data!;
  expect(await upload(corin, seller, `${texts.route('198.18.11.0/24')}delete: moved on\n`)).toEqual(['ok']);

  const { requestId, planned } = await acknowledged(portal, 'transfer', { resources: ['198.18.8.0/21'], withRegistrations: true });
  expect(linesOf(planned.effects)).toEqual(
    expect.arrayContaining([
      'route 198.18.0.0/19AS64500: changes',
      'route 198.18.10.0/24AS65536: moves',
      'reverse 8.18.198.in-addr.arpa: moves',
      'roa AS64500 198.18.0.0/19: changes',
      'roa AS65536 198.18.8.0/24: moves',
    ]),
  );
  const exact = planned.effects.find(({ name }) => name === 'AS64500 198.18.0.0/19')!;
  expect(exact.on).toContain('Becomes AS64500 198.18.0.0/21, AS64500 198.18.16.0/20');
  // During: another route, after the buyer saw the plan. Completion uses the present objects, and reports it.
  const late = await upload(corin, seller, texts.route('198.18.14.0/24'));
  await complete(portal, requestId);

  // The result matches the plan immediately.
  const inside = await objectsIn(portal, '198.18.8.0', '198.18.15.255');
  expect(inside.map(({ name }) => name)).toEqual(expect.arrayContaining(['route 198.18.10.0/24AS65536', 'domain 8.18.198.in-addr.arpa']));
  expect(inside.filter(({ maintainers }) => maintainers?.join() !== 'maint-sg-other')).toEqual([]);
  const routes = (await objectsIn(portal, '198.18.0.0', '198.18.31.255')).map(({ name }) => name).filter(name => name.endsWith('AS64500'));
  expect(routes).toEqual(expect.arrayContaining(['route 198.18.0.0/21AS64500', 'route 198.18.16.0/20AS64500']));
  expect(routes).not.toContain('route 198.18.0.0/19AS64500');
  const roas = await portal.db.read.rows<{ of: string }>(
    sql`select account_name || ' ' || prefix || '-' || max_length || ' ' || asn as of from roa where prefix <<= '198.18.0.0/19' order by 1`,
  );
  expect(roas.map(({ of }) => of)).toEqual([
    'EXAMPLE-AU 198.18.0.0/21-21 64500',
    'EXAMPLE-AU 198.18.16.0/20-20 64500',
    'OTHER-SG 198.18.8.0/24-24 65536',
  ]);
  if (late[0] === 'ok')
    expect((await portal.mailsTo('olive@other-sg.example')).some(({ body }) => body.includes('198.18.14.0/24AS65536'))).toBe(true);

  // After, by text: new and old objects.
  const refused = [
    texts.route('198.18.9.0/24'),
    texts.route('198.18.8.0/21'),
    texts.route('198.18.0.0/19'),
    texts.domain('9.18.198.in-addr.arpa', 'MAINT-AU-EXAMPLE', contact),
    texts.domain('8.18.198.in-addr.arpa', 'MAINT-AU-EXAMPLE', contact, 'ns1.hijack.example'),
    `${texts.route('198.18.10.0/24')}delete: mine\n`,
    `inetnum: 198.18.12.0 - 198.18.12.255\nnetname: MINE\ndescr: Mine\ncountry: AU\nadmin-c: ${contact}\ntech-c: ${contact}\nstatus: ASSIGNED NON-PORTABLE\nmnt-by: MAINT-AU-EXAMPLE\nmnt-irt: IRT-AU-EXAMPLE\nsource: EXAMPLE\n`,
  ];
  for (const text of refused) expect(await upload(corin, seller, text), text).toEqual([expect.stringMatching(/^failed/)]);
  // By the pages: the editor, a bulk change, zones, a zone file, routes, ROAs, customers, an undone task.
  const edited = await corin(api.whois.submitUpdates, {
    account: seller,
    body: { updates: [{ operation: 'modify', text: texts.route('198.18.10.0/24') }] },
  });
  expect(edited.data!.outcomes[0]!.state).toBe('failed');
  const bulk = await corin(api.whois.bulkChange, {
    account: seller,
    body: {
      choose: { classes: ['route'], attribute: 'mnt-by', value: 'MAINT-AU-EXAMPLE' },
      actions: [{ action: 'add', attribute: 'remarks', newValue: 'Still mine' }],
      dryRun: false,
    },
  });
  expect(bulk.data!.outcomes!.map(({ shown }) => shown).join()).not.toContain('198.18.10.0/24');
  const zones = {
    zones: ['9.18.198.in-addr.arpa'],
    servers: ['ns1.hijack.example', 'ns2.hijack.example'],
    adminC: contact,
    techC: contact,
    zoneC: contact,
    mntBy: 'MAINT-AU-EXAMPLE',
  };
  expect((await corin(api.reverseDns.submitZones, { account: seller, body: zones })).status).toBe(400);
  const file = {
    text: '9.18.198.in-addr.arpa. NS ns1.hijack.example.\n9.18.198.in-addr.arpa. NS ns2.hijack.example.\n',
    adminC: contact,
    mntBy: 'MAINT-AU-EXAMPLE',
  };
  expect((await corin(api.reverseZoneFiles.uploadZoneFile, { account: seller, body: file })).status).toBe(400);
  const { version } = (await corin(api.routes.listRoutes, { account: seller, query: { limit: 1 } })).data!;
  expect(
    (await corin(api.routes.saveRoutes, { account: seller, body: { add: [{ prefix: '198.18.9.0/24', asn: 'AS65536' }], version } })).status,
  ).toBe(400);
  const listed = (await corin(api.rpki.listRoas, { account: seller, query: {} })).data!;
  const added = { version: listed.version, add: [{ prefix: '198.18.9.0/24', asn: 'AS65536', maxLength: 24, comment: '' }], remove: [] };
  expect((await corin(api.rpki.changeRoas, { account: seller, body: added })).status).toBe(400);
  const undone = await corin(api.tasks.revertTask, { account: seller, taskId: String(task.taskId) });
  await portal.runTasks();
  if (undone.data)
    expect((await corin(api.tasks.getTask, { account: seller, taskId: String(undone.data.taskId) })).data!.counts.ok).toBe(0);
  expect((await objectsIn(portal, '198.18.11.0', '198.18.11.255')).map(({ name }) => name)).not.toContain('route 198.18.11.0/24AS65536');
  // By a program: the registry API, and `registry apply`.
  const send = (address: string, init: RequestInit) => portal.request(address.slice(url.length), init);
  const program = openRegistry({ url, account: seller, key, fetch: send, pause: async () => undefined });
  const called = await program.call('whois.submitUpdates', {
    body: { updates: [{ operation: 'create', text: texts.route('198.18.9.0/24') }] },
  });
  expect(called.outcomes[0]!.state).toBe('failed');
  const home = await mkdtemp(path.join(os.tmpdir(), 'sold-numbers-'));
  try {
    for (const [name, content] of [
      ['routes', 'routes:\n  - prefix: 198.18.9.0/24\n    origin: AS65536\n    routeObject: true\n'],
      [
        'zones',
        `reverseZones:\n  - zone: 9.18.198.in-addr.arpa\n    servers: [ns1.hijack.example, ns2.hijack.example]\n    adminC: ${contact}\n    techC: ${contact}\n    zoneC: ${contact}\n    maintainer: MAINT-AU-EXAMPLE\n`,
      ],
    ] as const) {
      await writeFile(path.join(home, `${name}.yaml`), `version: 1\n${content}`);
      const code = await run(['apply', '-f', path.join(home, `${name}.yaml`), '--yes'], {
        environment: { HOME: home, REGISTRY_URL: url, REGISTRY_API_KEY: key, REGISTRY_ACCOUNT: seller },
        input: Readable.from(['']),
        output: { write: () => undefined },
        errors: { write: () => undefined },
        fetch: send,
      });
      expect(code, name).not.toBe(0);
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
  expect(await objectsIn(portal, '198.18.8.0', '198.18.15.255')).toEqual(inside);

  // The buyer: its own routes, zones and ROAs, and everything that moved along.
  const role = await contactOf(portal, 'maint-sg-other');
  expect(await upload(olive, buyer, texts.route('198.18.9.0/24', 'MAINT-SG-OTHER', 'AS64501'))).toEqual(['ok']);
  expect(await upload(olive, buyer, texts.route('198.18.8.0/21', 'MAINT-SG-OTHER', 'AS64501'))).toEqual(['ok']);
  expect(await upload(olive, buyer, texts.domain('9.18.198.in-addr.arpa', 'MAINT-SG-OTHER', role))).toEqual(['ok']);
  expect(await upload(olive, buyer, texts.domain('8.18.198.in-addr.arpa', 'MAINT-SG-OTHER', role, 'ns1.example.com'))).toEqual(['ok']);
  const own = (await olive(api.rpki.listRoas, { account: buyer, query: {} })).data!;
  const signed = {
    version: own.version,
    add: [{ prefix: '198.18.8.0/21', asn: 'AS64501', maxLength: 24, comment: '' }],
    remove: own.rows.map(({ roaId }) => roaId),
  };
  expect((await olive(api.rpki.changeRoas, { account: buyer, body: signed })).errors).toBeUndefined();
  for (const { name } of inside.filter(each => each.name.startsWith('route '))) {
    const { data } = await olive(api.whois.getObject, { account: buyer, query: { class: 'route', key: name.slice('route '.length) } });
    expect(data).toMatchObject({ mayEdit: true, mayDelete: true });
    expect(await upload(olive, buyer, `${data!.text}delete: not needed\n`)).toEqual(['ok']);
  }
  const rdap = JSON.parse(await (await portal.request('/rdap/ip/198.18.8.0/21')).text()) as { events: { eventAction: string }[] };
  expect(rdap.events.map(({ eventAction }) => eventAction)).toContain('transfer');
});

test('after a merger everything over the numbers belongs to the recipient, no signed object is lost, and it signs only what it accepted', async () => {
  for (const [answer, signed] of [
    [
      { takesRoas: true, takesAspas: true },
      { roas: 3, aspas: 1 },
    ],
    [
      { takesRoas: false, takesAspas: false },
      { roas: 0, aspas: 0 },
    ],
  ] as const) {
    await using portal = await scene();
    const held = await portal.db.read.rows<{ resource: string; kind: string }>(
      sql`select resource, kind from delegation where account_name = ${seller} and status <> 'closed' order by kind, first, first_as`,
    );
    const { requestId, offered } = await acknowledged(
      portal,
      'acquisition',
      {
        resources: held.map(({ resource }) => resource),
        occasion: 'merger',
        legalName: 'Other Cloud',
        startsOn: '2026-11-01',
        withRegistrations: true,
      },
      answer,
    );
    expect(offered.effects.filter(({ what }) => what === 'aspa').map(({ on }) => on)).toEqual([
      'Removed, unless you take it over when you acknowledge',
    ]);
    await complete(portal, requestId);
    const [left] = await portal.db.read.rows<{
      objects: string[] | null;
    }>(sql`select array_agg(class || ' ' || shown) as objects from whois_object o
      where (class in ('inetnum', 'inet6num', 'route', 'route6', 'domain', 'aut-num') or shown like 'AS64500:%')
        and exists (select from whois_reference r where r.object_id = o.object_id and r.value in ('maint-au-example', 'irt-au-example')
          and r.attribute in ('mnt-by', 'mnt-lower', 'mnt-routes', 'mnt-domains', 'mnt-irt'))`);
    expect(left!.objects).toBeNull();
    const [count] = await portal.db.read.rows<{ roas: number; aspas: number; signs: boolean }>(
      sql`select (select count(*)::int from roa where account_name = ${buyer} and asn in (64500, 65536)) as roas, (select count(*)::int from aspa where account_name = ${buyer}) as aspas`,
    );
    expect(count).toEqual(signed);
    expect(
      await portal.db.read.rows(
        sql`select 1 from roa where account_name = ${seller} union all select 1 from aspa where account_name = ${seller}`,
      ),
    ).toEqual([]);
    const sets = await portal.db.read.rows<{ shown: string }>(
      sql`select shown from whois_object where class = 'as-set' and shown like 'AS64500:%' order by 1`,
    );
    expect(sets.map(({ shown }) => shown)).toEqual(['AS64500:AS-ALL', 'AS64500:AS-CUSTOMERS']);
  }
});

test('a moved AS number takes its sets and providers along, and routes and ROAs of kept addresses from it end', async () => {
  await using portal = await scene();
  const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
  const { requestId, planned } = await acknowledged(portal, 'transfer', { resources: ['AS64500'] }, { takesAspas: true });
  expect(linesOf(planned.effects)).toEqual(
    expect.arrayContaining([
      'route 198.18.0.0/19AS64500: ends',
      'roa AS64500 198.18.0.0/19: ends',
      'aspa AS64500: AS64501, AS65536: moves',
      'whois AS64500:AS-CUSTOMERS: moves',
    ]),
  );
  await complete(portal, requestId);
  expect(await portal.db.read.rows(sql`select 1 from whois_object where class = 'route' and shown = '198.18.0.0/19AS64500'`)).toEqual([]);
  expect(await portal.db.read.rows(sql`select 1 from roa where account_name = ${seller} and asn = 64500`)).toEqual([]);
  // The seller can't write the number or below it, nor routes from it without its new holder.
  const contact = await contactOf(portal, 'maint-au-example');
  const own = `as-set: AS64500:AS-NEW\ndescr: Set\nmembers: AS64500\ntech-c: ${contact}\nadmin-c: ${contact}\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`;
  expect(await upload(corin, seller, own)).toEqual([expect.stringMatching(/^failed/)]);
  const autNum = (await corin(api.whois.getObject, { account: seller, query: { class: 'aut-num', key: 'AS64500' } })).data!;
  expect(autNum.mayEdit).toBe(false);
  expect(await upload(corin, seller, autNum.text.replace('source:', 'remarks: Still mine\nsource:'))).toEqual([
    expect.stringMatching(/^failed/),
  ]);
  const role = await contactOf(portal, 'maint-sg-other');
  expect(await upload(olive, buyer, own.replaceAll(contact, role).replace('MAINT-AU-EXAMPLE', 'MAINT-SG-OTHER'))).toEqual(['ok']);
});

test('the holder of numbers can reclaim objects maintained by others: take them over or delete them, with a notice to the maintainer', async () => {
  await using portal = await scene();
  const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
  // Objects of another member in the block, with the holder's permission.
  const network = (await corin(api.whois.getObject, { account: seller, query: { class: 'inetnum', key: '198.18.0.0 - 198.18.31.255' } }))
    .data!;
  expect(
    await upload(corin, seller, network.text.replace(/^source:/m, 'mnt-routes: MAINT-SG-OTHER\nmnt-lower: MAINT-SG-OTHER\nsource:')),
  ).toEqual(['ok']);
  expect(await upload(corin, seller, 'route: 198.18.0.0/19\norigin: AS64500\ndelete: in the way\n')).toEqual(['ok']);
  for (const prefix of ['198.18.28.0/24', '198.18.29.0/24'])
    expect(await upload(olive, buyer, texts.route(prefix, 'MAINT-SG-OTHER', 'AS64501'))).toEqual(['ok']);
  const read = async (prefix: string) =>
    (await corin(api.whois.getObject, { account: seller, query: { class: 'route', key: `${prefix}AS64501` } })).data!;
  const stored = await read('198.18.28.0/24');
  expect(stored).toMatchObject({ mayEdit: false, mayReclaim: true });
  const record = (await corin(api.whoisRecords.getRecord, { account: seller, query: { resource: '198.18.28.0/24' } })).data!;
  expect(record.objects.filter(({ mayReclaim }) => mayReclaim).map(({ shown }) => shown)).toEqual(['198.18.28.0/24AS64501']);
  const reclaim = (person: Person, account: string, act: 'take-over' | 'delete', { key, version }: { key: string; version: number }) =>
    person(api.whoisReclaims.reclaimObject, { account, body: { class: 'route', key, act, version, reason: 'The contract ended' } });
  // Others can't reclaim anything.
  const sold = (await olive(api.whois.getObject, { account: buyer, query: { class: 'route', key: '198.18.64.0/23AS64500' } })).data!;
  expect(sold.mayReclaim).toBe(false);
  expect(await reclaim(olive, buyer, 'take-over', sold)).toMatchObject({ status: 403, errors: [{ code: 'NO_PERMISSION' }] });
  expect((await reclaim(corin, seller, 'take-over', { ...stored, version: 99 })).data!.outcome.state).toBe('failed');
  expect((await reclaim(corin, seller, 'take-over', stored)).data!.outcome).toMatchObject({ state: 'ok', done: 'modify' });
  expect((await read('198.18.28.0/24')).text).toMatch(/mnt-by: +MAINT-AU-EXAMPLE/);
  expect((await reclaim(corin, seller, 'delete', await read('198.18.29.0/24'))).data!.outcome).toMatchObject({
    state: 'ok',
    done: 'delete',
  });
  const mails = await portal.mailsTo('olive@other-sg.example');
  expect(mails.filter(({ subject }) => subject.includes('by the holder of its numbers'))).toHaveLength(2);
  expect((await portal.lastActivity())!.summary).toBe('Reclaimed a whois object');
});

test('objects of the seller’s own authority and its checklists for sold space are refused from the next publication on', async () => {
  await using portal = await scene();
  const corin = await portal.as('corin');
  const own = await connectedAuthority(portal);
  const files = own.child.files([{ prefix: '198.18.8.0/21', asn: 65536, maxLength: 21 }]);
  expect(await own.publish(own.child.publish(files))).toContain('<success/>');
  await judgeChildren(portal.context);
  const payloads = async () => (await listVrps(portal.db.read)).map(({ prefix, asn }) => `AS${asn} ${prefix}`);
  expect(await payloads()).toContain('AS65536 198.18.8.0/21');
  const letter = { name: 'letter.pdf', sha256: '0'.repeat(64) };
  const resources = ['198.18.8.0/24'];
  const { checklistId } = (
    await corin(api.rpkiChecklists.signChecklist, { account: seller, body: { resources, files: [letter], days: 30 } })
  ).data!;
  await publishAll(portal.context);
  const { object } = (await corin(api.rpkiChecklists.getChecklist, { account: seller, checklistId })).data!;
  const verified = async () => (await corin(api.rpkiChecklists.verifyChecklist, { body: { object: object! } })).data!.problem;
  expect(await verified()).toBeNull();

  const { requestId, planned, offered } = await acknowledged(portal, 'transfer', { resources: ['198.18.8.0/21'] });
  for (const { effects } of [planned, offered])
    expect(effects.filter(({ what }) => what === 'account')).toMatchObject([
      { name: `Certificate authority of ${seller}`, act: 'changes', on: expect.stringContaining('loses this space') },
    ]);
  await complete(portal, requestId);
  await publishAll(portal.context);
  await judgeChildren(portal.context);
  expect(await payloads()).not.toContain('AS65536 198.18.8.0/21');
  const { keys } = (await corin(api.rpkiSelfHosted.getSelfHosted, { account: seller })).data!.authority!;
  expect(keys).toMatchObject([{ shrinksAt: null, resources: expect.not.arrayContaining(['198.18.0.0/19']) }]);
  expect(await verified()).not.toBeNull();
});
