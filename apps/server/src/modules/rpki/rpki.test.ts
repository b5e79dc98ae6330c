import { api } from '@portal/contract/api';
import { DAY_MS, HOUR_MS } from '@portal/contract/days';
import type { NewRoa } from '@portal/contract/rpki/rpki';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { closeDelegations, delegate } from '../resources/delegations.ts';
import { publishAll } from './repository/publisher.ts';
import { checkRepository } from './repository/repository-check.ts';
import { listVrps } from './vrps.ts';
import { anyNumbers } from '../../../test/any-numbers.ts';

type Client = Awaited<ReturnType<TestPortal['as']>>;
const account = 'EXAMPLE-AU';

describe.each(kindsForRules)('RPKI on %s', kind => {
  let portal: TestPortal;
  let corin: Client;
  beforeAll(async () => {
    portal = await testPortal(kind);
    corin = await portal.as('corin');
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const status = async (who = corin, of = account) => (await who(api.rpki.getStatus, { account: of })).data!;
  const roas = async (of = account) => (await corin(api.rpki.listRoas, { account: of, query: { limit: 1000 } })).data!;
  const change = async (add: Partial<NewRoa>[], remove: string[] = [], more: { version?: number; removing?: number } = {}) =>
    corin(api.rpki.changeRoas, {
      account,
      body: {
        version: more.version ?? (await roas()).version,
        add: add as NewRoa[],
        remove,
        ...(more.removing !== undefined && { removing: more.removing }),
      },
    });
  /** Publishes, and returns the VRPs; any problem of a validator fails the test. */
  const published = async (): Promise<string[]> => {
    await publishAll(portal.context);
    const { problems, vrps } = await checkRepository(portal.db.read, new Date());
    const listed = await listVrps(portal.db.read);
    expect([problems, vrps]).toEqual([[], listed.length]);
    return listed.map(({ prefix, asn, maxLength }) => `AS${asn} ${prefix}-${maxLength}`);
  };

  /** The e-mails that an act sends to a corporate contact, and whether each offers to freeze the author's login. */
  const mailed = async (act: () => Promise<unknown>) => {
    const find = () =>
      portal.db.read
        .selectFrom('mail')
        .select(['subject', 'freezeLinkId'])
        .where('recipient', '=', 'corin@example-au.example')
        .orderBy('mailId')
        .execute();
    const before = (await find()).length;
    await act();
    return (await find()).slice(before).map(({ subject, freezeLinkId }) => ({ subject, freezes: freezeLinkId !== null }));
  };

  test('is off until a contact who may configure it enables it, with a second factor', async () => {
    expect(await status()).toMatchObject({
      mode: 'off',
      held: expect.arrayContaining(['198.18.0.0/19', 'AS64500']),
      certified: [],
      keys: [],
    });
    expect((await change([{ prefix: '198.18.0.0/19', asn: 'AS64500' }])).errors![0]!.code).toBe('RPKI_NOT_ENABLED');
    expect((await (await portal.as('bill'))(api.rpki.enable, { account })).errors![0]!.code).toBe('NO_PERMISSION');
    expect((await (await portal.as('corin', { mfa: false }))(api.rpki.enable, { account })).errors![0]!.code).toBe('MFA_REQUIRED');
    const enable = async () =>
      expect((await corin(api.rpki.enable, { account })).data).toMatchObject({ mode: 'hosted', isPublishing: true, version: 1 });
    expect(await mailed(enable)).toEqual([{ subject: 'RPKI of EXAMPLE-AU was turned on', freezes: true }]);
    const [notice] = (await portal.mailsTo('corin@example-au.example')).slice(-1);
    expect(notice!.body).toMatch(
      /Corin Achterberg turned on hosted RPKI for EXAMPLE-AU\.[^]*certifies [^]*198\.18\.0\.0\/19[^]*To undo this/,
    );
    expect((await corin(api.rpki.enable, { account })).errors![0]!.code).toBe('RPKI_ENABLED_ALREADY');
    expect(await published()).toEqual([]);
    const after = await status();
    expect(after).toMatchObject({ mode: 'hosted', isPublishing: false, missing: [] });
    expect(after.certified).toEqual(after.held);
    expect(after.keys).toMatchObject([{ state: 'current', manifest: { number: 1 } }]);
  });

  test('ROAs are published with the change that adds them, and withdrawn with the one that removes them', async () => {
    const { data } = await change([
      { prefix: '198.18.0.0/19', asn: 'AS64500' },
      { prefix: '2001:db8::/32', asn: '64500', maxLength: 48, comment: 'Everything' },
      { prefix: '203.0.113.0/24', asn: 'AS0' },
    ]);
    expect(data).toMatchObject({ version: 2, removed: 0, added: [{ state: 'pending' }, { state: 'pending' }, { state: 'pending' }] });
    const all = ['AS64500 198.18.0.0/19-19', 'AS0 203.0.113.0/24-24', 'AS64500 2001:db8::/32-48'];
    expect(await published()).toEqual(all);
    const { rows, version } = await roas();
    expect(rows.map(({ state }) => state)).toEqual(['published', 'published', 'published']);
    expect(rows[2]).toMatchObject({ comment: 'Everything', uri: expect.stringMatching(/^rsync:.*\.roa$/) });
    const before = await status();
    await change([{ prefix: '203.0.113.0/24', asn: 'AS65536' }], [rows[1]!.roaId]);
    expect(await published()).toEqual([all[0], 'AS65536 203.0.113.0/24-24', all[2]]);
    const after = await status();
    expect(after.version).toBe(version + 1);
    expect(after.repository.serial).toBe(before.repository.serial! + 1);
    expect(after.keys[0]!.manifest!.number).toBe(before.keys[0]!.manifest!.number + 1);
    expect(after.keys[0]!.certificate).toEqual(before.keys[0]!.certificate);
  });

  test('nothing is published if nothing changed', async () => {
    expect(await publishAll(portal.context)).toEqual([]);
  });

  test.each<[Partial<NewRoa>, string, RegExp]>([
    [{ prefix: '192.0.2.0/24', asn: 'AS64500' }, 'add.0.prefix', /not inside a delegation of this account/],
    [{ prefix: '198.18.0.1/19', asn: 'AS64500' }, 'add.0.prefix', /host bits set; did you mean 198.18.0.0\/19/],
    [{ prefix: '198.18.0.0', asn: 'AS64500' }, 'add.0.prefix', /no prefix length/],
    [{ prefix: '198.18.0.0/20', asn: 'AS64500', maxLength: 19 }, 'add.0.maxLength', /is 20 to 32/],
    [{ prefix: '198.18.0.0/20', asn: 'AS64500', maxLength: 33 }, 'add.0.maxLength', /is 20 to 32/],
    [{ prefix: '198.18.0.0/20', asn: 'AS64512' }, 'add.0.asn', /Private use, RFC 6996/],
    [{ prefix: '198.18.0.0/20', asn: 'AS23456' }, 'add.0.asn', /AS_TRANS/],
    [{ prefix: '198.18.0.0/20', asn: 'AS4294967296' }, 'add.0.asn', /largest AS number/],
    [{ prefix: '198.18.0.0/20', asn: 'example' }, 'add.0.asn', /not an AS number/],
    [{ prefix: '198.18.0.0/19', asn: 'AS64500', maxLength: 24 }, 'add.0.prefix', /already, with the maximum length 19/],
    [{ prefix: '198.18.0.0/19', asn: '64500' }, 'add.0.prefix', /There is a ROA for 198.18.0.0\/19 and AS64500 already/],
  ])('%j is refused, and the field named', async (roa, field, message) => {
    const { status: code, errors } = await change([roa]);
    expect(code).toBe(400);
    expect(errors).toMatchObject([{ field, message: expect.stringMatching(message) }]);
    const { data } = await corin(api.rpki.checkRoas, { account, body: { add: [roa as NewRoa] } });
    expect(data!.problems).toMatchObject([{ list: 'add', index: 0, problem: expect.stringMatching(message) }]);
  });

  test('every wrong entry is named, and nothing is stored', async () => {
    const add = Array.from({ length: 300 }, (_, i) => ({
      prefix: i % 50 === 7 ? '192.0.2.0/24' : `198.18.${i % 32}.${Math.floor(i / 32) * 8}/29`,
      asn: 'AS64500',
    }));
    const before = await roas();
    const { errors } = await change(add);
    expect(errors!.map(({ field }) => field)).toEqual([7, 57, 107, 157, 207, 257].map(i => `add.${i}.prefix`));
    expect(await roas()).toEqual(before);
  });

  test('of two people who change the list, the second gets a refusal with the current list', async () => {
    const { version } = await roas();
    const both = await Promise.all([
      change([{ prefix: '198.18.4.0/24', asn: 'AS64500' }], [], { version }),
      change([{ prefix: '198.18.5.0/24', asn: 'AS64500' }], [], { version }),
    ]);
    expect(both.map(({ status: code }) => code).sort((a, b) => a - b)).toEqual([200, 412]);
    const refused = both.find(({ status: code }) => code === 412)!;
    expect((refused as { current?: unknown }).current).toMatchObject({ version: version + 1, rows: expect.any(Array) });
  });

  test('ten and more are removed only with their number typed, and people are notified with a link that freezes their author', async () => {
    const prefixes = Array.from({ length: 12 }, (_, i) => `198.18.${i + 8}.0/24`);
    const { data } = await change(prefixes.map(prefix => ({ prefix, asn: 'AS64500' })));
    expect((await published()).length).toBe(16);
    expect((await roas()).rows.map(({ prefix }) => prefix).filter(prefix => prefixes.includes(prefix))).toEqual(prefixes);
    const ids = data!.added.map(({ roaId }) => roaId);
    expect((await change([], ids)).errors![0]).toMatchObject({ code: 'ROA_COUNT_WRONG', message: expect.stringContaining('12') });
    expect((await change([], ids, { removing: 11 })).errors![0]!.code).toBe('ROA_COUNT_WRONG');
    const mails = (await portal.mailsTo('corin@example-au.example')).length;
    expect((await change([], ids, { removing: 12 })).data).toMatchObject({ removed: 12 });
    const [mail, ...others] = (await portal.mailsTo('corin@example-au.example')).slice(mails);
    expect(others).toEqual([]);
    expect(mail!.subject).toBe('12 ROAs of EXAMPLE-AU deleted');
    expect(mail!.body).toContain('AS64500 198.18.8.0/24');
    const [row] = await portal.db.read
      .selectFrom('mail')
      .select('freezeLinkId')
      .where('recipient', '=', 'corin@example-au.example')
      .orderBy('mailId', 'desc')
      .limit(1)
      .execute();
    expect(row!.freezeLinkId, 'its author can be stopped').not.toBeNull();
    expect((await published()).length).toBe(4);
  });

  test('many ROAs of one AS share an object, and get one each again when they are few', async () => {
    const add = Array.from({ length: 110 }, (_, i) => ({ prefix: `198.18.${i % 31}.${Math.floor(i / 31) * 16}/28`, asn: 'AS64500' }));
    const { data } = await change(add);
    expect((await published()).length).toBe(114);
    const uris = new Set((await roas()).rows.map(({ uri }) => uri));
    expect(uris.size).toBe(2);
    const ids = data!.added.map(({ roaId }) => roaId);
    await change([], ids, { removing: ids.length });
    expect((await published()).length).toBe(4);
    expect(new Set((await roas()).rows.map(({ uri }) => uri)).size).toBe(4);
  });

  test('a block that moves to another account is never missing at both', async () => {
    const olive = await portal.as('olive');
    await olive(api.rpki.enable, { account: 'OTHER-SG' });
    await published();
    const before = await status();
    const activity = { action: 'test', summary: 'Transferred a block', traceId: '0'.repeat(32) };
    const [row] = await portal.db.read.selectFrom('delegation').select('delegationId').where('resource', '=', '203.0.113.0/24').execute();
    await portal.db.change(activity, async tx => {
      await closeDelegations(tx, [row!.delegationId]);
      await delegate(tx, { resource: '203.0.113.0/24', accountName: 'OTHER-SG', type: 'assigned' }, anyNumbers);
      await tx
        .insertInto('roa')
        .values({ accountName: 'OTHER-SG', prefix: '203.0.113.0/24', maxLength: 24, asn: 65536, createdAt: tx.now })
        .execute();
    });
    const made = await publishAll(portal.context);
    expect(made).toHaveLength(1);
    expect(made[0]!.lost.get(account)).toMatchObject([{ prefix: '203.0.113.0/24' }]);
    const vrps = await listVrps(portal.db.read);
    expect(vrps.filter(({ prefix }) => prefix === '203.0.113.0/24')).toMatchObject([{ accountName: 'OTHER-SG', asn: 65536 }]);
    expect((await checkRepository(portal.db.read, new Date())).problems).toEqual([]);
    const after = await status();
    expect(after.certified).not.toContain('203.0.113.0/24');
    expect(after.repository.serial).toBe(before.repository.serial! + 1);
    await portal.runTasks();
    const { data: history } = await corin(api.rpki.listHistory, { account });
    expect(history!.rows[0]).toMatchObject({ summary: 'Stopped publishing a ROA', by: null, removed: ['AS65536 203.0.113.0/24'] });
    const notices = await portal.db.read
      .selectFrom('notification')
      .select(['accountName', 'body'])
      .where('topic', '=', 'rpki.roas')
      .execute();
    expect(notices.length).toBeGreaterThan(0);
    expect(notices.every(notice => notice.accountName === account && notice.body.includes('AS65536 203.0.113.0/24'))).toBe(true);
    const { data: page } = await olive(api.whoisRecords.getRecord, { account: 'OTHER-SG', query: { resource: '203.0.113.0/24' } });
    expect(page!.sections.find(({ id }) => id === 'roas')!.rows).toMatchObject([
      { label: '203.0.113.0/24', text: 'AS65536 may originate it' },
    ]);
    expect((await roas()).rows.filter(({ state }) => state === 'not-held').map(({ prefix }) => prefix)).toEqual(['203.0.113.0/24']);
  });

  test('a suspended account publishes nothing, and everything again when it is open', async () => {
    const before = await published();
    const set = (accountStatus: 'open' | 'suspended') =>
      portal.db.change({ action: 'test', summary: 'Set the status', traceId: '0'.repeat(32) }, tx =>
        tx.updateTable('account').set({ accountStatus }).where('accountName', '=', account).execute(),
      );
    await set('suspended');
    expect(await published()).toEqual(['AS65536 203.0.113.0/24-24']);
    expect(await status()).toMatchObject({ mode: 'suspended', counts: { stopped: 4 } });
    await set('open');
    expect(await published()).toEqual(before);
  });

  test('a key is rolled over in three steps a day apart, without losing a VRP', async () => {
    const vrps = await published();
    const first = (await status()).keys[0]!;
    expect(await mailed(() => corin(api.rpki.startRollover, { account }))).toEqual([
      { subject: 'Key rollover of EXAMPLE-AU started', freezes: true },
    ]);
    expect(await mailed(() => corin(api.rpki.startRollover, { account })), 'what is refused is not announced').toEqual([]);
    expect((await corin(api.rpki.startRollover, { account })).errors![0]!.code).toBe('ROLLOVER_UNDER_WAY');
    expect(await published()).toEqual(vrps);
    expect((await status()).keys.map(({ state, number }) => [state, number])).toEqual([
      ['current', 1],
      ['new', 2],
    ]);
    expect((await corin(api.rpki.activateKey, { account })).errors![0]!.code).toBe('ROLLOVER_TOO_EARLY');
    const letADayPass = () =>
      portal.db.change({ action: 'test', summary: 'Let a day pass', traceId: '0'.repeat(32) }, async tx => {
        await tx.rows(
          sql`update rpki_key set created_at = created_at - interval '25 hours', state_since = state_since - interval '25 hours'`,
        );
        await tx.rows(sql`update rpki_ca set rollover_requested_at = rollover_requested_at - interval '25 hours',
          activation_requested_at = activation_requested_at - interval '25 hours'`);
      });
    await letADayPass();
    const activate = async () => expect((await corin(api.rpki.activateKey, { account })).data).toMatchObject({ mode: 'hosted' });
    expect(await mailed(activate)).toEqual([{ subject: 'Key rollover of EXAMPLE-AU completed: the new key signs', freezes: true }]);
    expect(await published()).toEqual(vrps);
    const second = await status();
    expect(second.keys.map(({ state, keyId }) => [state, keyId === first.keyId])).toEqual([
      ['current', false],
      ['old', true],
    ]);
    await letADayPass();
    expect(await published()).toEqual(vrps);
    expect((await status()).keys).toHaveLength(1);
    const kept = await portal.db.read.rows<{ keys: number }>(sql`select count(*)::int as keys from rpki_key where sealed_private is null`);
    expect(kept[0]!.keys).toBe(1);
  });

  test('everything is renewed before it expires', async () => {
    const vrps = await published();
    const before = await status();
    await portal.db.change({ action: 'test', summary: 'Let time pass', traceId: '0'.repeat(32) }, async tx => {
      await tx.rows(sql`update rpki_manifest set next_update = now() + interval '11 hours'`);
      await tx.rows(sql`update rpki_object set not_after = now() + interval '20 days' where kind = 'roa'`);
      await tx.rows(
        sql`update rpki_key set not_after = now() + interval '50 days' where ca_id in (select ca_id from rpki_ca where kind = 'member')`,
      );
    });
    expect(await published()).toEqual(vrps);
    const after = await status();
    expect(Date.parse(after.keys[0]!.manifest!.nextUpdate) - Date.now()).toBeGreaterThan(23 * HOUR_MS);
    expect(after.keys[0]!.certificate!.serial).not.toBe(before.keys[0]!.certificate!.serial);
    expect(
      (await roas()).rows
        .filter(({ state }) => state === 'published')
        .every(({ expiresAt }) => Date.parse(expiresAt!) - Date.now() > 300 * DAY_MS),
    ).toBe(true);
  });

  test('disabling RPKI has to be confirmed by number; then nothing of the account is left, and its keys are destroyed', async () => {
    const { data } = await corin(api.rpki.previewRevocation, { account });
    const { version, roas: all } = data!;
    expect((await corin(api.rpki.revoke, { account, body: { version, removing: 1 } })).errors![0]!.code).toBe('ROA_COUNT_WRONG');
    expect((await corin(api.rpki.revoke, { account, body: { version: version - 1, removing: all.length } })).status).toBe(412);
    expect((await corin(api.rpki.revoke, { account, body: { version, removing: all.length } })).errors).toBeUndefined();
    expect((await portal.mailsTo('corin@example-au.example')).at(-1)!.subject).toBe('RPKI of EXAMPLE-AU was turned off');
    expect(await published()).toEqual(['AS65536 203.0.113.0/24-24']);
    expect(await status()).toMatchObject({ mode: 'off', keys: [], certified: [] });
    expect((await corin(api.rpki.enable, { account })).data!.mode).toBe('hosted');
    expect(await published()).toEqual(['AS65536 203.0.113.0/24-24']);
  });

  test('the history shows who added and removed what, and what was refused', async () => {
    const { data } = await corin(api.rpki.listHistory, { account, query: { limit: 200 } });
    const changed = data!.rows.find(({ added }) => added.includes('AS64500 2001:db8::/32-48'));
    expect(changed).toMatchObject({ summary: 'Changed ROAs', by: 'Corin Achterberg', refusal: null });
    expect(data!.rows.some(({ refusal }) => refusal === 'ROA_COUNT_WRONG')).toBe(true);
  });
});
