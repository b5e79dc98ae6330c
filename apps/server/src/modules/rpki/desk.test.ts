import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { api } from '@portal/contract/api';
import { DAY_MS, HOUR_MS, instantAfter, instantBefore } from '@portal/contract/days';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { noteRound } from '../../platform/periodic-work.ts';
import { createOfflineTrustAnchor, signTrustAnchorRequest } from './authorities/offline-trust-anchor.ts';
import { importTrustAnchor, requestTrustAnchor } from './repository/trust-anchor-exchange.ts';
import type { TrustAnchorRequest } from './authorities/trust-anchor-messages.ts';
import { publishAll } from './repository/publisher.ts';
import { publisherProblems } from './repository/alarms.ts';
import { publisherRounds } from './publisher-rounds.ts';

const activity = { action: 'test', summary: 'Let time pass', traceId: '0'.repeat(32) };
const account = 'EXAMPLE-AU';

describe.each(kindsForRules)('RPKI at the desk on %s', kind => {
  let portal: TestPortal;
  beforeEach(async () => {
    portal = await testPortal(kind);
  });
  afterEach(() => portal[Symbol.asyncDispose]());

  const write = (statement: RawBuilder<unknown>) => portal.db.change(activity, change => change.rows(statement));
  const overview = async () => (await (await portal.as('stella'))(api.rpkiDesk.getOverview, {})).data!;
  const troubled = async (query = {}) => (await (await portal.as('stella'))(api.rpkiDesk.listTroubled, { query })).data!;
  const enable = async (): Promise<void> => {
    const corin = await portal.as('corin');
    await corin(api.rpki.enable, { account });
    await corin(api.rpki.changeRoas, {
      account,
      body: { add: [{ prefix: '198.18.0.0/19', asn: 'AS64500', comment: '' }], remove: [], version: 1 },
    });
    await publishAll(portal.context);
  };
  const ofMember = sql`ca_id = (select ca_id from rpki_ca where account_name = ${account} and state = 'active')`;

  test('only registry staff with a second factor see it; for everyone else it doesn’t exist', async () => {
    for (const call of [api.rpkiDesk.getOverview, api.rpkiDesk.listTroubled] as const) {
      expect((await (await portal.as('corin'))(call, {} as never)).status).toBe(404);
      expect((await (await portal.as('stella', { mfa: false }))(call, {} as never)).errors![0]!.code).toBe('MFA_REQUIRED');
      expect((await (await portal.as('stella'))(call, {} as never)).status).toBe(200);
    }
    expect((await (await portal.as('corin'))(api.rpkiDesk.requestSignature, {})).status).toBe(404);
    expect((await (await portal.as('corin'))(api.rpkiDesk.importSignature, { body: { response: '{}' } })).status).toBe(404);
  });

  test('before the first publication the page is empty and shows no alarm', async () => {
    expect(await overview()).toMatchObject({
      alarms: [],
      trustAnchor: { setting: 'online', authority: null, responseAwaitedSince: null, locator: null, as0Locator: null },
      registry: null,
      publication: { session: null, tree: null, objects: [], manifests: { count: 0, next: null }, publisher: null },
      keys: { ready: 0, wanted: 0 },
      members: { hosted: 0, selfHosted: 0, suspended: 0, rollover: 0, attention: 0 },
    });
  });

  test('after a publication it shows what is published, until when, and by which keys', async () => {
    await enable();
    const shown = await overview();
    expect(shown).toMatchObject({
      alarms: [],
      trustAnchor: {
        authority: {
          keyPlace: 'here',
          keyIdentifier: expect.stringMatching(/^[0-9a-f]{40}$/),
          certificate: { resources: ['0.0.0.0/0', '::/0', 'AS0 - AS4294967295'] },
        },
        locator: 'http://portal.test/rpki/registry.tal',
      },
      registry: { keyPlace: 'here', manifest: { number: 1 } },
      publication: {
        session: { serial: 1, reason: 'The first publication' },
        objects: [
          { kind: 'certificate', count: 2 },
          { kind: 'crl', count: 3 },
          { kind: 'manifest', count: 3 },
          { kind: 'roa', count: 1 },
        ],
        manifests: { count: 3, next: { nextUpdate: expect.any(String) } },
        waiting: { accounts: 0, since: null, messages: 0 },
      },
      keys: { wanted: 24 },
      members: { hosted: 1, selfHosted: 0, suspended: 0, rollover: 0, attention: 0 },
    });
    expect(await troubled()).toMatchObject({ total: 0, rows: [], counts: [] });
    await noteRound(portal.db, publisherRounds, { now: new Date(), failure: null, noted: { tree: { serial: 1 } } });
    expect((await overview()).publication).toMatchObject({ tree: { serial: 1, isPresent: true }, publisher: { failure: null } });
  });

  test('members are counted by the state of their authority', async () => {
    await enable();
    const corin = await portal.as('corin');
    await corin(api.rpki.startRollover, { account });
    expect((await overview()).members).toMatchObject({ hosted: 1, rollover: 1, suspended: 0 });
    await publishAll(portal.context);
    expect((await overview()).members).toMatchObject({ hosted: 1, rollover: 1, suspended: 0 });
    await write(sql`update account set account_status = 'suspended' where account_name = ${account}`);
    await publishAll(portal.context);
    expect((await overview()).members).toMatchObject({ hosted: 0, rollover: 0, suspended: 1 });
  });

  test('a manifest that no publisher renews is an alarm that names its member, and appears in /readyz', async () => {
    await enable();
    const soon = instantAfter(new Date(), HOUR_MS);
    await write(
      sql`update rpki_manifest set next_update = ${soon}::timestamptz where key_id in (select key_id from rpki_key where ${ofMember})`,
    );
    expect((await overview()).alarms).toMatchObject([{ kind: 'manifests-end', count: 1 }]);
    expect((await overview()).publication.manifests.next).toMatchObject({ of: 'member', accountName: account });
    expect(await troubled()).toMatchObject({
      total: 1,
      rows: [{ accountName: account, orgName: expect.any(String), mode: 'hosted', problem: 'manifest-late' }],
      counts: [{ problem: 'manifest-late', count: 1 }],
    });
    expect(await publisherProblems(portal.db.read, new Date())).toEqual([
      { role: 'publisher', problem: expect.stringMatching(/^1 RPKI manifests end soon/) },
    ]);
    await write(
      sql`update rpki_manifest set next_update = now() - interval '1 minute' where key_id in (select key_id from rpki_key where ${ofMember})`,
    );
    expect((await troubled()).rows).toMatchObject([{ problem: 'manifest-ended' }]);
    expect((await overview()).members.attention).toBe(1);
    await publishAll(portal.context);
    expect(await troubled()).toMatchObject({ total: 0 });
    expect((await overview()).alarms).toEqual([]);
  });

  test('waiting changes and failing publications are alarms; a past failure is not', async () => {
    await enable();
    const [before, since] = [instantBefore(new Date(), DAY_MS), instantBefore(new Date(), HOUR_MS)];
    await write(sql`insert into rpki_due (account_name, noticed_at) values (${account}, ${since}::timestamptz)`);
    await noteRound(portal.db, publisherRounds, { now: new Date(before), failure: null });
    await noteRound(portal.db, publisherRounds, { now: new Date(since), failure: 'no room' });
    expect((await overview()).alarms).toMatchObject([
      { kind: 'publishing-fails', failure: 'no room' },
      { kind: 'changes-wait', accounts: 1 },
    ]);
    expect((await overview()).publication).toMatchObject({ waiting: { accounts: 1 }, publisher: { failure: 'no room' } });
    expect((await troubled()).rows).toMatchObject([{ accountName: account, mode: 'hosted', problem: 'not-published' }]);
    await noteRound(portal.db, publisherRounds, { now: new Date(), failure: null });
    await publishAll(portal.context);
    expect((await overview()).alarms).toEqual([]);
    await write(
      sql`update rpki_key set not_after = now() + interval '10 days' where ca_id = (select ca_id from rpki_ca where kind = 'registry')`,
    );
    expect((await overview()).alarms).toMatchObject([{ kind: 'certificate-ends' }]);
  });

  test('self-hosted authorities that never asked, went silent or publish what is refused are listed by page and by problem', async () => {
    await enable();
    const old = instantBefore(new Date(), 5 * DAY_MS);
    await write(sql`insert into rpki_child (account_name, handle, child_handle, identity, created_at)
      select account_name, 'handle-' || account_name, 'own', 'x', ${old}::timestamptz from account where account_name in ('OTHER-SG', 'NATREG-XX', 'HARBOUR-HK')`);
    await portal.db.unrecorded
      .insertInto('rpkiChildContact')
      .columns(['childId', 'protocol', 'lastSignedAt', 'lastDigest', 'lastAt'])
      .expression(
        sql`select child_id, 'provisioning', ${old}::timestamptz, 'x', ${old}::timestamptz from rpki_child where account_name <> 'OTHER-SG'`,
      )
      .execute();
    await write(
      sql`insert into rpki_child_judgement (child_id, judged_at, problems) select child_id, now(), '{x.mft: it has ended}' from rpki_child where account_name = 'NATREG-XX'`,
    );
    const all = await troubled();
    expect(all.rows.map(({ accountName, mode, problem }) => [accountName, mode, problem])).toEqual([
      ['NATREG-XX', 'self-hosted', 'refused-files'],
      ['HARBOUR-HK', 'self-hosted', 'silent'],
      ['OTHER-SG', 'self-hosted', 'never-asked'],
    ]);
    expect(all.rows[0]!.refusals).toEqual(['x.mft: it has ended']);
    expect((await troubled({ limit: 1, offset: 1 })).rows.map(({ accountName }) => accountName)).toEqual(['HARBOUR-HK']);
    expect(await troubled({ problem: 'silent' })).toMatchObject({ total: 1, rows: [{ accountName: 'HARBOUR-HK' }], counts: all.counts });
    expect((await overview()).members).toMatchObject({ selfHosted: 3, attention: 3 });
  });

  test('a new key that was not activated for a week needs attention', async () => {
    await enable();
    await (await portal.as('corin'))(api.rpki.startRollover, { account });
    await publishAll(portal.context);
    expect(await troubled()).toMatchObject({ total: 0 });
    await write(sql`update rpki_key set created_at = now() - interval '8 days' where state = 'new'`);
    expect((await troubled()).rows).toMatchObject([{ problem: 'rollover-waits' }]);
  });

  test('its queries use indexes', async () => {
    await enable();
    for (const [query, index] of [
      [sql`select count(*) from rpki_object where kind <> 'trust-anchor' group by kind`, /rpki_object_key_id_kind/],
      [
        sql`select m.next_update from rpki_manifest m join rpki_key k using (key_id) where m.next_update < now()`,
        /rpki_manifest_next_update/,
      ],
      [sql`select from rpki_key k where k.ca_id = 1 and k.state <> 'destroyed'`, /rpki_key_state/],
    ] as const)
      await portal.db.change(activity, async change => {
        await sql`set local enable_seqscan = off`.execute(change);
        const plan = await change.rows<Record<string, string>>(sql`explain ${query}`);
        expect(plan.map(row => Object.values(row)[0]).join('\n')).toMatch(index);
      });
  });

  test('there is nothing to sign if the trust anchor is online', async () => {
    await enable();
    const stella = await portal.as('stella');
    expect((await stella(api.rpkiDesk.requestSignature, {})).errors![0]!.code).toBe('TRUST_ANCHOR_ONLINE');
    expect((await stella(api.rpkiDesk.importSignature, { body: { response: '{}' } })).errors![0]!.code).toBe('TRUST_ANCHOR_ONLINE');
  });
});

describe.each(kindsForRules)('the offline trust anchor at the desk on %s', kind => {
  const passphrase = 'kept in two safes';
  const folders: string[] = [];
  afterAll(() => Promise.all(folders.map(folder => rm(folder, { recursive: true, force: true }))));

  test('requires the first signing at the command line, and allows later ones at the desk', async () => {
    await using portal = await testPortal(kind, { RPKI_TRUST_ANCHOR: 'offline' });
    const home = await mkdtemp(path.join(os.tmpdir(), 'portal-desk-ta-'));
    folders.push(home);
    const folder = path.join(home, 'ta');
    const sign = (request: TrustAnchorRequest, now: Date) => signTrustAnchorRequest(request, { folder, passphrase, days: 90, now });
    const stella = await portal.as('stella');
    const overview = async () => (await stella(api.rpkiDesk.getOverview, {})).data!;
    expect((await stella(api.rpkiDesk.requestSignature, {})).errors![0]!.code).toBe('TRUST_ANCHOR_NOT_SET_UP');
    expect((await stella(api.rpkiDesk.importSignature, { body: { response: '{}' } })).errors![0]!.code).toBe('TRUST_ANCHOR_NOT_SET_UP');
    expect((await overview()).trustAnchor).toMatchObject({ setting: 'offline', authority: null });

    await createOfflineTrustAnchor(folder, passphrase);
    const first = await requestTrustAnchor(portal.context);
    expect((await overview()).trustAnchor.responseAwaitedSince).not.toBeNull();
    await importTrustAnchor(portal.context, await sign(first, new Date(Date.now() - 2 * DAY_MS)));
    expect((await overview()).trustAnchor).toMatchObject({
      authority: { keyPlace: 'offline', manifest: { number: 1 } },
      responseAwaitedSince: null,
    });

    const asked = (await stella(api.rpkiDesk.requestSignature, {})).data!;
    expect(asked.fileName).toMatch(/^trust-anchor-request-\d{4}-\d\d-\d\d\.json$/);
    const request = JSON.parse(asked.content) as TrustAnchorRequest;
    expect(request).toMatchObject({ kind: 'trust-anchor-request', last: { number: 1 } });
    expect((await overview()).trustAnchor.responseAwaitedSince).not.toBeNull();

    const response = await sign(request, new Date(Date.now() - HOUR_MS));
    const send = (value: unknown) =>
      stella(api.rpkiDesk.importSignature, { body: { response: typeof value === 'string' ? value : JSON.stringify(value) } });
    const [own, ...others] = response.files;
    for (const [wrong, words] of [
      ['hello', /isn’t a response file/],
      [request, /isn’t a response file/],
      [{ ...response, places: { ...response.places, rsync: 'rsync://elsewhere.example/repository/' } }, /elsewhere\.example/],
      [{ ...response, manifest: { ...response.manifest, number: 900 } }, /something else about .*\.mft/],
      [
        { ...response, manifest: { ...response.manifest, nextUpdate: instantAfter(new Date(), 900 * DAY_MS) } },
        /something else about .*\.mft/,
      ],
      [
        { ...response, files: [{ ...own!, notAfter: instantAfter(new Date(), 9000 * DAY_MS) }, ...others] },
        /something else about .*ta\.cer/,
      ],
      [{ ...response, files: [own, { ...others[0]!, content: own!.content }, ...others.slice(1)] }, /something else about/],
    ] as const) {
      const { errors } = await send(wrong);
      expect(errors![0]).toMatchObject({ code: 'INVALID_REQUEST', field: 'response' });
      expect(errors![0]!.message).toMatch(words);
    }
    expect((await overview()).trustAnchor.responseAwaitedSince).not.toBeNull();
    expect((await send(response)).data).toMatchObject({ nextUpdate: response.manifest.nextUpdate });
    expect((await overview()).trustAnchor).toMatchObject({ authority: { manifest: { number: 2 } }, responseAwaitedSince: null });
    expect((await send(response)).errors![0]!.message).toMatch(/imported already/);
    const lines = await portal.db.read
      .selectFrom('activity')
      .select(['action', 'refusal'])
      .where('action', 'like', 'rpki.desk.%')
      .execute();
    expect(lines.filter(({ refusal }) => refusal === null).map(({ action }) => action)).toEqual([
      'rpki.desk.requestSignature',
      'rpki.desk.importSignature',
    ]);
    await write(portal, sql`update rpki_manifest set next_update = now() + interval '6 days'`);
    expect((await overview()).alarms).toMatchObject([{ kind: 'trust-anchor-ends' }]);
  });

  const write = (portal: TestPortal, statement: RawBuilder<unknown>) => portal.db.change(activity, change => change.rows(statement));
});
