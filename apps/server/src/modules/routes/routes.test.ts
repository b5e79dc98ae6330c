import { api } from '@portal/contract/api';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import type { RouteChanges, SavedRouteChanges } from '@portal/contract/routes/routes';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { publishAll, publishRepository } from '../rpki/index.ts';

type Client = Awaited<ReturnType<TestPortal['as']>>;
const account = 'EXAMPLE-AU';
type New = RouteChanges['add'][number];
const route = (prefix: string, asn: string, more: Partial<New> = {}) => ({ prefix, asn, ...more }) as New;

describe.each(kindsForRules)('routes on %s', kind => {
  let portal: TestPortal;
  let corin: Client;
  beforeAll(async () => {
    portal = await testPortal(kind);
    corin = await portal.as('corin');
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const list = async (query: Record<string, unknown> = {}) =>
    (await corin(api.routes.listRoutes, { account, query: { limit: 500, ...query } })).data!;
  const rowOf = async (prefix: string, asn: number) => (await list()).rows.find(row => row.prefix === prefix && row.asn === asn);
  const full = (changes: Partial<RouteChanges>) => ({ add: [], change: [], remove: [], adopt: [], text: '', ...changes });
  const check = async (changes: Partial<RouteChanges>, who = corin) =>
    (await who(api.routes.checkRoutes, { account, body: full(changes) })).data!;
  const save = async (changes: Partial<SavedRouteChanges>, who = corin) =>
    who(api.routes.saveRoutes, { account, body: { ...full(changes), version: (await list()).version, ...changes } });
  const objectOf = async (key: string) =>
    (await portal.db.read.rows<{ text: string }>(sql`select text from whois_object where class in ('route', 'route6') and key = ${key}`))[0]
      ?.text;
  /** Announcements as a collector saw them. */
  const seen = (rows: [prefix: string, asn: number, peers: number][]) =>
    portal.db.change({ action: 'routes.importTable', summary: 'Imported a BGP table', traceId: '0'.repeat(32) }, async change => {
      await change.rows(sql`delete from bgp_announcement`);
      await change.rows(sql`delete from bgp_table`);
      const [table] = await change.rows<{
        id: string;
      }>(sql`insert into bgp_table (family, file_name, collected_at, imported_at, peers, announcements, state)
        values (4, 'test', now(), now(), 300, ${rows.length}, 'current') returning bgp_table_id::text as id`);
      for (const [prefix, asn, peers] of rows)
        await change.rows(sql`insert into bgp_announcement values (${table!.id}::bigint, ${prefix}::cidr, ${asn}, ${peers})`);
    });

  test('starts with the existing route objects, which can be adopted', async () => {
    const { rows, rpki, version, maintainers } = await list();
    expect({ rpki, version, maintainers }).toEqual({ rpki: 'off', version: '0-0', maintainers: ['MAINT-AU-EXAMPLE'] });
    expect(rows.find(({ prefix }) => prefix === '198.18.0.0/19')).toMatchObject({
      routeId: null,
      asn: 64500,
      whoisState: 'unmanaged',
      roaState: 'off',
      holder: 'mine',
    });
    const { data } = await save({
      adopt: [
        { prefix: '198.18.0.0/19', asn: 'AS64500' },
        { prefix: '2001:db8::/32', asn: '64500' },
      ],
    });
    expect(data).toMatchObject({ kind: 'adopt', summary: 'Adopted 2 routes' });
    expect(await rowOf('198.18.0.0/19', 64500)).toMatchObject({
      whois: true,
      roa: false,
      whoisState: 'present',
      descr: 'Example Networks',
      attributes: 'member-of:      AS64500:RS-ROUTES',
    });
    expect((await list()).version).toBe('1-0');
  });

  test('ROA and route object are written and deleted together', async () => {
    expect((await check({ add: [route('198.18.30.0/24', 'AS64500')] })).problems).toMatchObject([
      { list: 'add', index: 0, field: 'roa', problem: expect.stringContaining('RPKI is not enabled') },
    ]);
    await corin(api.rpki.enable, { account });
    const add = [
      route('198.18.16.0/21', 'AS64500', {
        maxLength: 22,
        whois: true,
        subRoutes: ['198.18.16.0/22'],
        comment: 'CGN',
        owner: 'Network team',
      }),
    ];
    const checked = await check({ add });
    expect(checked.problems).toEqual([]);
    expect(checked.counts).toMatchObject({ added: 1, roasAdded: 1, objectsWritten: 2, objectsWaiting: 0 });
    expect(checked.planned[0]!.warnings[0]).toMatch(/RFC 9319/);
    const saved = (await save({ add })).data!;
    expect(saved.items[0]!.results.map(({ object, done }) => `${object} ${done}`)).toEqual([
      'ROA AS64500 198.18.16.0/21-22 added',
      'route 198.18.16.0/21AS64500 added',
      'route 198.18.16.0/22AS64500 added',
    ]);
    expect(await objectOf('198.18.16.0/22as64500')).toMatch(/mnt-by: +MAINT-AU-EXAMPLE/);
    expect(await rowOf('198.18.16.0/21', 64500)).toMatchObject({
      roaState: 'pending',
      whoisState: 'present',
      comment: 'CGN',
      owner: 'Network team',
    });
    await publishAll(portal.context);
    const row = (await rowOf('198.18.16.0/21', 64500))!;
    expect(row.roaState).toBe('published');
    const gone = (await save({ remove: [{ routeId: row.routeId!, keepRoa: false, keepObjects: false }] })).data!;
    expect(gone.items[0]!.results).toHaveLength(3);
    expect(await objectOf('198.18.16.0/21as64500')).toBeUndefined();

    // One click restores all of it, once.
    const undone = (await corin(api.routes.undoChange, { account, changeId: gone.changeId })).data!;
    // The history of RPKI has the ROAs of both.
    const history = (await corin(api.rpki.listHistory, { account, query: {} })).data!.rows;
    expect(history[0]!.added.length).toBeGreaterThan(0);
    expect(history[0]!.added).toEqual(history[1]!.removed);
    expect(undone).toMatchObject({ kind: 'undo', undoes: gone.changeId });
    expect(await rowOf('198.18.16.0/21', 64500)).toMatchObject({
      roa: true,
      maxLength: 22,
      whoisState: 'present',
      subRoutes: ['198.18.16.0/22'],
      owner: 'Network team',
    });
    expect((await corin(api.routes.undoChange, { account, changeId: gone.changeId })).errors![0]!.code).toBe('ALREADY_RESOLVED');
    expect((await corin(api.routes.undoChange, { account, changeId: '999999' })).status).toBe(404);
    // An addition can't be undone once it was changed again.
    expect((await corin(api.routes.undoChange, { account, changeId: saved.changeId })).data).toMatchObject({ kind: 'undo' });
  });

  test('a change can be undone with one call within 24 hours', async () => {
    const saved = (await save({ add: [route('198.18.31.0/24', 'AS64500')] })).data!;
    expect(saved.undoUntil).toBe(instantAfter(saved.madeAt, DAY_MS));
    const madeAgo = (age: string) =>
      portal.db.change({ action: 'test', summary: 'Let time pass', traceId: '0'.repeat(32) }, change =>
        change.rows(sql`update route_change set made_at = now() - ${age}::interval where route_change_id = ${saved.changeId}::bigint`),
      );
    await madeAgo('24 hours 1 minute');
    expect((await corin(api.routes.getChange, { account, changeId: saved.changeId })).data!.undoUntil).toBeNull();
    expect((await corin(api.routes.undoChange, { account, changeId: saved.changeId })).errors![0]!.code).toBe('UNDO_TOO_LATE');
    await madeAgo('23 hours 59 minutes');
    expect((await corin(api.routes.undoChange, { account, changeId: saved.changeId })).data).toMatchObject({ undoes: saved.changeId });
    expect(await rowOf('198.18.31.0/24', 64500)).toBeUndefined();
  });

  test('people are notified once of each change with its effects, and a link to undo it', async () => {
    const tess = await portal.as('tess');
    const mailed = async (to: string) => (await portal.mailsTo(`${to}@example-au.example`)).length;
    const before = { corin: await mailed('corin'), tess: await mailed('tess') };
    const saved = (await save({ add: [route('198.18.31.0/24', 'AS64500'), route('198.18.30.0/24', 'AS64500', { whois: true })] }, tess))
      .data!;
    for (const to of ['corin', 'tess'] as const) {
      const mails = (await portal.mailsTo(`${to}@example-au.example`)).slice(before[to]);
      // Whois sends its own notices to the addresses that objects name.
      const ours = mails.filter(({ subject }) => subject.startsWith('Routes of'));
      expect(ours.map(({ subject }) => subject)).toEqual(['Routes of EXAMPLE-AU changed: 3 added']);
      expect(ours[0]!.body).toMatch(/^Tess \S+ changed routes of EXAMPLE-AU\./);
      expect(ours[0]!.body).toContain('Added: ROA AS64500 198.18.31.0/24, ROA AS64500 198.18.30.0/24, route 198.18.30.0/24 AS64500.');
      expect(mails.filter(({ subject }) => subject.includes('changed something'))).toEqual([]);
    }
    const [notice] = await portal.db.read.rows<{ link: string; topic: string }>(
      sql`select link, topic from notification where title like 'Routes of%' order by notification_id desc limit 1`,
    );
    expect(notice).toEqual({ topic: 'rpki.changes', link: `/resources/routes/request-details?id=${saved.changeId}` });

    // Other contacts can choose less, corporate contacts can't (S30).
    await tess(api.notificationPreferences.saveNotificationPreference, { body: { topic: 'rpki.changes', delivery: 'portal' } });
    expect(
      (await corin(api.notificationPreferences.saveNotificationPreference, { body: { topic: 'rpki.changes', delivery: 'portal' } })).errors,
    ).toMatchObject([{ code: 'TOPIC_LOCKED' }]);
    const [frozen] = await portal.db.read.rows<{ count: number }>(
      sql`select count(*)::int as count from mail where subject like 'Routes of%' and freeze_link_id is not null and recipient = 'corin@example-au.example'`,
    );
    expect(frozen!.count).toBeGreaterThan(0);
    const [then, mailedBefore] = [await mailed('tess'), await mailed('corin')];
    // A comment isn't published: the general notice of a change covers it.
    const { routeId } = (await rowOf('198.18.31.0/24', 64500))!;
    await save({ change: [{ routeId: routeId!, comment: 'Melbourne' }] });
    expect(
      (await portal.mailsTo('corin@example-au.example')).slice(mailedBefore).filter(({ subject }) => subject.startsWith('Routes of')),
    ).toEqual([]);
    await corin(api.routes.undoChange, {
      account,
      changeId: (await corin(api.routes.listChanges, { account, query: {} })).data!.rows[0]!.changeId,
    });
    expect((await corin(api.routes.undoChange, { account, changeId: saved.changeId })).data).toMatchObject({ undoes: saved.changeId });
    expect((await portal.mailsTo('corin@example-au.example')).at(-1)).toMatchObject({
      subject: 'Routes of EXAMPLE-AU changed: 3 removed',
      body: expect.stringContaining('This undid an earlier change.'),
    });
    expect(await mailed('tess')).toBe(then);
  });

  test('the effect on announcements is shown first, and a harmful one has to be confirmed by typing', async () => {
    await seen([
      ['198.18.0.0/19', 64500, 320],
      ['198.18.8.0/24', 65536, 300],
      ['198.18.64.0/23', 64500, 310],
      ['198.51.100.0/24', 64501, 300],
    ]);
    const add = [route('198.18.0.0/19', 'AS64500', {})];
    const { problems } = await check({ add });
    expect(problems).toMatchObject([{ field: 'prefix', problem: 'There is a route for it already. Change that one' }]);
    const { routeId } = (await rowOf('198.18.0.0/19', 64500))!;
    const change = [{ routeId: routeId!, roa: true }];
    const { effect } = await check({ change });
    expect(effect).toMatchObject({
      total: 2,
      changed: 2,
      becomeInvalid: 1,
      becomeValid: 1,
      before: { valid: 0, invalid: 0, notFound: 3 },
      after: { valid: 1, invalid: 1, notFound: 1 },
    });
    expect(effect.announcements[0]).toEqual({ prefix: '198.18.8.0/24', asn: 65536, peers: 300, before: 'not-found', after: 'invalid-asn' });
    // The same ROA through the ROA call: the same question.
    const roas = [{ prefix: '198.18.0.0/19', asn: 'AS64500' }];
    const { version, becomeInvalid } = (await corin(api.rpki.checkRoas, { account, body: { add: roas } })).data!;
    expect(becomeInvalid).toBe(1);
    for (const invalidating of [undefined, 2])
      expect((await corin(api.rpki.changeRoas, { account, body: { add: roas, version, invalidating } })).errors).toMatchObject([
        { code: 'ROUTES_INVALIDATE', message: expect.stringContaining('1 announcement') },
      ]);
    expect((await save({ change })).errors![0]!.code).toBe('ROUTES_INVALIDATE');
    expect((await save({ change, invalidating: 2 })).errors![0]!.code).toBe('ROUTES_INVALIDATE');
    expect((await save({ change, invalidating: 1 })).data).toMatchObject({ summary: 'Changed 1 route' });
    // The other announcement is repaired by its own route.
    const repaired = await check({ add: [route('198.18.8.0/24', 'AS65536', { whois: true })] });
    await publishAll(portal.context);
    expect(repaired.effect).toMatchObject({ becomeValid: 1, becomeInvalid: 0 });
    expect(await rowOf('198.18.8.0/24', 65536)).toMatchObject({ validity: 'invalid-asn', seenBy: 300, routeId: null });
    expect((await list({ show: 'invalid' })).rows.map(({ prefix }) => prefix)).toEqual(['198.18.8.0/24']);
  });

  test('removing the last ROA of a widely seen announcement needs its number in every call; of a rarely seen one it doesn’t', async () => {
    await seen([
      ['198.18.64.0/24', 64500, 300],
      ['198.18.65.0/24', 64500, 9],
    ]);
    const both = [route('198.18.64.0/24', 'AS64500'), route('198.18.65.0/24', 'AS64500')];
    const { effect } = await check({ add: both });
    expect(effect).toMatchObject({ becomeValid: 2, toConfirm: 0 });
    const added = (await save({ add: both })).data!;
    const remove = (await corin(api.rpki.listRoas, { account, query: {} }))
      .data!.rows.filter(({ prefix }) => prefix === '198.18.64.0/24' || prefix === '198.18.65.0/24')
      .map(({ roaId }) => roaId);
    const asked = [
      { code: 'ROUTES_INVALIDATE', message: 'This leaves 1 announcement that many networks see without a ROA. Enter 1 to confirm' },
    ];

    const checked = (await corin(api.rpki.checkRoas, { account, body: { remove } })).data!;
    expect(checked).toMatchObject({ becomeInvalid: 0, loseRoa: 1, toConfirm: 1 });
    expect((await corin(api.rpki.changeRoas, { account, body: { remove, version: checked.version } })).errors).toMatchObject(asked);
    const gone = await Promise.all(both.map(async ({ prefix }) => (await rowOf(prefix, 64500))!.routeId!));
    expect((await save({ remove: gone.map(routeId => ({ routeId, keepRoa: false, keepObjects: false })) })).errors).toMatchObject(asked);
    const undo = (body: { invalidating?: number }) => corin(api.routes.undoChange, { account, changeId: added.changeId, body });
    const refused = await undo({});
    expect(refused.errors).toMatchObject(asked);
    // With what a page needs for its question.
    expect((refused as { current?: unknown }).current).toMatchObject({ becomeInvalid: 0, loseRoa: 1, toConfirm: 1 });
    expect(await rowOf('198.18.64.0/24', 64500)).toMatchObject({ roa: true });
    expect((await undo({ invalidating: 1 })).data).toMatchObject({ undoes: added.changeId });
    expect(await rowOf('198.18.64.0/24', 64500)).not.toMatchObject({ roa: true });
  });

  test('AS0 beside a ROA that authorises an AS is added with a warning that it has no effect', async () => {
    const add = [
      { prefix: '198.18.12.0/24', asn: 'AS64500' },
      { prefix: '198.18.12.0/24', asn: 'AS0' },
      { prefix: '2001:db8:13::/48', asn: 'AS0' },
    ];
    const { additions } = (await corin(api.rpki.checkRoas, { account, body: { add } })).data!;
    expect(additions.map(({ warning }) => warning?.split(',')[0] ?? null)).toEqual([
      null,
      expect.stringMatching(/^Has no effect on what ROA AS64500 198\.18\.\d+\.0\/\d+(-\d+)? covers/),
      null,
    ]);
  });

  test('an outdated page gets 412 with the changes', async () => {
    const { version } = await list();
    const tess = await portal.as('tess');
    expect((await save({ add: [route('198.18.30.0/24', 'AS64500')] }, tess)).errors).toBeUndefined();
    const late = await save({ add: [route('198.18.31.0/24', 'AS64500')], version });
    expect(late.status).toBe(412);
    expect(late.errors![0]!.message).toContain('Tess Lindqvist: Added 1 route');
    expect((late as { current?: unknown }).current).toMatchObject({
      changes: [{ madeBy: 'Tess Lindqvist', items: [{ after: { prefix: '198.18.30.0/24' } }] }],
    });
  });

  test('bad input is reported entry by entry, and nothing is written', async () => {
    const before = await list();
    const { errors } = await save({
      add: [
        route('198.18.1.1/24', 'AS64500'),
        route('192.0.2.0/24', 'AS64500'),
        route('198.18.2.0/24', 'AS64500', { maxLength: 33 }),
        route('198.18.3.0/24', 'AS64512'),
        route('198.18.5.0/24', 'AS0', { whois: true }),
        route('198.18.6.0/24', 'AS64500', { subRoutes: ['198.18.6.0/25'] }),
        route('198.18.7.0/24', 'AS64500', { attributes: 'origin: AS1' }),
      ],
    });
    expect(errors!.map(({ field }) => field)).toEqual([
      'add.0.prefix',
      'add.1.prefix',
      'add.2.maxLength',
      'add.3.asn',
      'add.4.whois',
      'add.5.subRoutes.0',
      'add.6.attributes',
    ]);
    expect(errors![0]!.message).toMatch(/^[^?]*; did you mean 198\.18\.1\.0\/24\?$/);
    const { routeId } = before.rows.find(row => row.routeId !== null)!;
    for (const [sub, problem] of [
      ['nonsense', 'is not an address'],
      ['198.18.16.1/24', 'did you mean 198.18.16.0/24?'],
    ]) {
      const changed = await save({ change: [{ routeId: routeId!, subRoutes: [sub!] }] });
      expect(changed.errors![0]).toMatchObject({ field: 'change.0.subRoutes.0', message: expect.stringContaining(problem!) as string });
    }
    expect((await list()).version).toBe(before.version);
  });

  test('lines with commas, arrows and spaces are accepted in one paste', async () => {
    const { problems, planned } = await check({
      text: '198.18.28.0/24-24 => AS64500\n198.18.29.0/24,AS64500,24,yes,no,\n198.18.31.0/24 AS64500 24\nnonsense',
    });
    expect(problems.map(({ index, problem }) => [index, problem])).toEqual([[4, 'Enter an AS number, such as AS64500']]);
    expect(planned.map(({ prefix }) => prefix)).toEqual(['198.18.28.0/24', '198.18.29.0/24', '198.18.31.0/24']);
  });

  test('a header with a column that routes don’t have names it and those there are; columns of validators’ files are passed over', async () => {
    const { problems } = await check({ text: 'prefix,asn,max lenght,roa\n198.18.28.0/24,AS64500,24,no' });
    expect(problems).toEqual([
      {
        list: 'text',
        index: 1,
        field: null,
        route: '',
        problem: 'No column is called max lenght. The columns are prefix, asn, maxLength, roa, whois, comment, owner',
      },
    ]);
    const others = 'URI,ASN,IP Prefix,Max Length,Not Before,Not After\nrsync://a,AS64500,198.18.28.0/24,24,2026-01-01,2027-01-01';
    expect((await check({ text: others })).problems).toEqual([]);
  });

  test('40 bad ones of 5,000 pasted lines are each reported with their line', async () => {
    const lines = ['prefix,asn,max length,roa,whois,comment'];
    for (let n = 0; n < 5_000; n++)
      lines.push(
        n % 125 === 7 ? `198.18.${n % 32}.${n % 256}/2x,AS64500,,yes,no,` : `2001:db8:${n.toString(16)}::/48,AS64500,48,yes,no,site ${n}`,
      );
    const { problems, counts } = await check({ text: lines.join('\n') });
    expect(problems.map(({ index }) => index)).toEqual(Array.from({ length: 40 }, (_, n) => 9 + n * 125));
    expect(counts).toMatchObject({ added: 4_960, roasAdded: 4_960 });
    const { errors } = await save({ text: lines.join('\n') });
    expect(errors).toHaveLength(40);
    expect(errors![0]!.message).toMatch(/^Line 9 \(198\.18\.7\.7\/2x AS64500\): /);
  });

  test('an import adds, changes and keeps routes; many deletions need their number', async () => {
    const text = ['# customers', ...Array.from({ length: 12 }, (_, n) => `2001:db8:${n + 16}::/48 => AS64500`)].join('\n');
    expect((await save({ text })).data).toMatchObject({ kind: 'import', summary: 'Added 12 routes' });
    const again = `${text}\n2001:db8:99::/48-52 => 64500`.replace('2001:db8:16::/48 =>', '2001:db8:16::/48-50 =>');
    expect((await check({ text: again })).counts).toMatchObject({ added: 1, changed: 1, unchanged: 11 });
    const remove = (await list({ q: '2001:db8:' })).rows
      .filter(({ prefix }) => prefix.endsWith('/48'))
      .map(({ routeId }) => ({ routeId: routeId!, keepRoa: false, keepObjects: false }));
    expect(remove).toHaveLength(12);
    expect((await save({ remove })).errors![0]).toMatchObject({
      code: 'ROUTE_COUNT_WRONG',
      message: 'This deletes 12 routes. Enter that number to confirm',
    });
    expect((await save({ remove, removing: 12 })).data).toMatchObject({ summary: 'Deleted 12 routes' });
    const { rows, more } = (await corin(api.routes.listChanges, { account, query: { limit: 2 } })).data!;
    expect({ more, summaries: rows.map(({ summary }) => summary) }).toEqual({
      more: true,
      summaries: ['Deleted 12 routes', 'Added 12 routes'],
    });
  });

  test('a route from the AS of another member waits for its consent; its ROA does not', async () => {
    const saved = (await save({ add: [route('198.18.20.0/24', 'AS64501', { whois: true })] })).data!;
    expect(saved.items[0]!.results).toMatchObject([
      { object: 'ROA AS64501 198.18.20.0/24', done: 'added' },
      { object: 'route 198.18.20.0/24AS64501', done: 'waits', consentId: expect.any(Number) },
    ]);
    expect(await rowOf('198.18.20.0/24', 64501)).toMatchObject({ holder: 'other', whoisState: 'waiting' });
    const olive = await portal.as('olive');
    await olive(api.whoisConsents.answerConsent, {
      account: 'OTHER-SG',
      consentId: String(saved.items[0]!.results[1]!.consentId),
      body: { agree: true, reason: '' },
    });
    expect(await rowOf('198.18.20.0/24', 64501)).toMatchObject({ whoisState: 'present' });
  });

  test('an object changed elsewhere is shown, and can be kept or overwritten', async () => {
    const text = (await objectOf('2001:db8::/32as64500'))!;
    await corin(api.whois.submitUpdates, {
      account,
      body: { mode: 'atomic', updates: [{ operation: 'modify', text: text.replace('Example Networks', 'Changed by hand') }] },
    } as never);
    const row = (await rowOf('2001:db8::/32', 64500))!;
    expect(row.whoisState).toBe('drifted');
    await save({ change: [{ routeId: row.routeId!, objects: 'ours' }] });
    expect(await objectOf('2001:db8::/32as64500')).toContain('Example Networks');
    expect((await rowOf('2001:db8::/32', 64500))!.whoisState).toBe('present');
  });

  test('the file has the filtered rows, and can be imported again', async () => {
    const file = (await corin(api.routes.exportRoutes, { account, query: { format: 'csv', show: 'managed', family: 'ipv4' } }))
      .data as unknown as { blob: Blob };
    const text = await file.blob.text();
    expect(text.split('\r\n')[0]).toBe('prefix,asn,maxLength,roa,whois,comment,owner,roaState,whoisState,seenBy,validity');
    expect((await check({ text })).counts).toMatchObject({ routes: 0, added: 0, changed: 0 });
  });

  test('text that a spreadsheet would execute is made harmless in the file', async () => {
    const row = (await rowOf('198.18.30.0/24', 64500))!;
    expect((await save({ change: [{ routeId: row.routeId!, comment: '=1+1<img src=x>', owner: '@SUM(1)' }] })).errors).toBeUndefined();
    const file = (await corin(api.routes.exportRoutes, { account, query: { format: 'csv', q: '198.18.30.0/24' } })).data as unknown as {
      blob: Blob;
    };
    expect(await file.blob.text()).toMatch(/'=1\+1<img src=x>,'@SUM\(1\)/);
  });

  test('a change and the receipt of its route object show the RRDP serial of the ROA, and its removal', async () => {
    const saved = (await save({ add: [route('198.18.29.0/24', 'AS64500', { whois: true })] })).data!;
    const roas = async (changeId: string) => (await corin(api.routes.getChange, { account, changeId })).data!.roas;
    const line = async () => {
      const [journal] = await portal.db.read.rows<{ version: number }>(
        sql`select max(version)::int as version from whois_journal where key = '198.18.29.0/24as64500'`,
      );
      const query = { class: 'route' as const, key: '198.18.29.0/24AS64500', version: journal!.version };
      const { data } = await corin(api.whoisPublication.getPublication, { account, query });
      return data!.places.find(({ place }) => place === 'rpki');
    };
    expect(await roas(saved.changeId)).toEqual({ state: 'waiting', serial: null });
    expect(await line()).toMatchObject({ state: 'waiting', answer: 'Not published yet' });
    await publishRepository(portal.context);
    const [session] = await portal.db.read.rows<{ serial: number }>(sql`select serial from rrdp_session where ended_at is null`);
    expect(await roas(saved.changeId)).toEqual({ state: 'done', serial: session!.serial });
    expect(await line()).toMatchObject({ state: 'done', answer: `In RRDP serial ${session!.serial}`, query: '/rrdp/notification.xml' });

    const { routeId } = (await rowOf('198.18.29.0/24', 64500))!;
    const removal = (await save({ remove: [{ routeId: routeId!, keepRoa: false, keepObjects: false }] })).data!;
    expect(await roas(removal.changeId)).toMatchObject({ state: 'waiting' });
    expect(await line()).toMatchObject({ state: 'waiting', answer: 'Still published' });
    await publishRepository(portal.context);
    expect(await roas(removal.changeId)).toEqual({ state: 'done', serial: null });
    expect(await line()).toMatchObject({ state: 'done', answer: 'None' });
    // Route objects without a ROA have no such line.
    const plain = (await save({ add: [route('198.18.28.0/24', 'AS64500', { roa: false, whois: true })] })).data!;
    expect(await roas(plain.changeId)).toBeNull();
  });

  test('only contacts with the permission and a second factor can change routes', async () => {
    const bill = await portal.as('bill');
    expect((await bill(api.routes.listRoutes, { account, query: {} as never })).status).toBe(403);
    const plain = await portal.as('corin', { mfa: false });
    expect((await save({ add: [route('198.18.31.0/24', 'AS64500')] }, plain)).errors![0]!.code).toBe('MFA_REQUIRED');
  });
});
