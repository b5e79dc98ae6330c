import { api } from '@portal/contract/api';
import type { CheckedServer } from '@portal/contract/reverse-dns/checks';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../../test/portal.ts';
import { followDisabled, openZoneBook, publishZones, type ZoneBook } from '../publication/publication.ts';
import { followLameServers, noteLameServers } from './lame-servers.ts';
import { noteZoneState } from './zone-states.ts';
import type { DelegatedZone } from '../domain-objects.ts';
import { zoneFacts } from '../zone-facts.ts';

const account = 'EXAMPLE-AU';
const zone = '2.18.198.in-addr.arpa';
const delegated = ['ns1.example.net', 'ns2.example.net'];
const line = { action: 'test', summary: 'Checked', traceId: '0'.repeat(32) };
const start = Date.parse('2027-01-01T00:00:00Z');

/** A registry at a day of its policy. */
const onDay = (portal: TestPortal, day: number) => {
  const now = new Date(start + day * DAY_MS);
  return {
    /** A check that these servers answered. */
    check: (...answering: string[]) =>
      portal.db.change(line, async change => {
        Object.defineProperty(change, 'now', { value: now.toISOString() });
        const checked = answering.map(server => ({ server, address: '192.0.2.1', state: 'authoritative' }) as CheckedServer);
        await noteLameServers(change, zone, { delegated, checked });
      }),
    run: () => followLameServers({ db: portal.db, clock: () => now, profile: portal.context.profile }),
  };
};
const zoneFile = (portal: TestPortal) => readFile(path.join(portal.config.filesDir, 'zones', '18.198.in-addr.arpa.zone'), 'utf8');
async function published(portal: TestPortal, book: ZoneBook): Promise<string> {
  await followDisabled(portal.db.read, book);
  await publishZones(portal.context, book);
  return zoneFile(portal);
}
const ns = (server: string) => `${zone}. 86400 IN NS ${server}.`;
const subjects = async (portal: TestPortal) =>
  (await portal.mailsTo('tess@example-au.example')).map(({ subject }) => subject).filter(subject => subject.startsWith(zone));
const actions = async (portal: TestPortal) =>
  (
    await portal.db.read.rows<{ action: string }>(
      sql`select action from activity where account_name = ${account} and action like 'reverseDns.%' order by activity_id`,
    )
  ).map(({ action }) => action);

describe.each(kindsForRules)('lame servers on %s', kind => {
  test('are named to their contacts after 15 days, left out of the zone after 45 more, and put back when they answer', async () => {
    await using portal = await testPortal(kind);
    const book = await openZoneBook(portal.db.read, portal.context.profile);
    expect(await published(portal, book)).toContain(ns('ns2.example.net'));
    for (const day of [0, 14]) {
      await onDay(portal, day).check('ns1.example.net');
      await onDay(portal, day).run();
    }
    expect(await subjects(portal)).toEqual([]);
    await onDay(portal, 15).check('ns1.example.net');
    await Promise.all([onDay(portal, 15).run(), onDay(portal, 15).run()]);
    expect(await subjects(portal)).toEqual([`${zone}: ns2.example.net doesn’t answer`]);
    for (const day of [56, 59]) {
      await onDay(portal, day).check('ns1.example.net');
      await onDay(portal, day).run();
    }
    expect(await subjects(portal)).toHaveLength(1);
    await onDay(portal, 60).check('ns1.example.net');
    await onDay(portal, 60).run();
    expect((await subjects(portal)).at(-1)).toBe(`${zone}: ns2.example.net left out of the zone`);
    const without = await published(portal, book);
    expect(without).toContain(ns('ns1.example.net'));
    expect(without).not.toContain(ns('ns2.example.net'));
    // A publisher started now leaves it out too.
    expect((await openZoneBook(portal.db.read, portal.context.profile)).entries.get(zone)!.text).not.toContain('ns2.example.net');
    const tess = await portal.as('tess');
    const shown = async () => (await tess(api.reverseDns.listZones, { account, query: { q: zone } })).data!.rows[0]!;
    expect(await shown()).toMatchObject({ servers: delegated, lame: [{ server: 'ns2.example.net', disabledOn: '2027-03-02' }] });
    await onDay(portal, 90).check('ns1.example.net');
    await onDay(portal, 90).run();
    expect((await subjects(portal)).at(-1)).toBe(`${zone}: ns2.example.net still doesn’t answer`);
    await onDay(portal, 93).check(...delegated);
    await onDay(portal, 93).run();
    expect((await subjects(portal)).at(-1)).toBe(`${zone}: ns2.example.net in the zone again`);
    expect(await published(portal, book)).toContain(ns('ns2.example.net'));
    expect((await shown()).lame).toEqual([]);
    expect(await actions(portal)).toEqual([
      'reverseDns.notifyOfLame',
      'reverseDns.disableServer',
      'reverseDns.remindOfLame',
      'reverseDns.enableServer',
    ]);
  });

  test('a zone without any server left has neither NS nor DS, and a server that answered in between starts over', async () => {
    await using portal = await testPortal(kind);
    await onDay(portal, 0).check();
    await onDay(portal, 10).check('ns1.example.net');
    await onDay(portal, 15).check();
    await onDay(portal, 15).run();
    expect(await subjects(portal)).toEqual([`${zone}: ns2.example.net doesn’t answer`]);
    await onDay(portal, 30).check();
    await onDay(portal, 30).run();
    for (const day of [60, 75]) {
      await onDay(portal, day).check();
      await onDay(portal, day).run();
    }
    const book = await openZoneBook(portal.db.read, portal.context.profile);
    expect(book.entries.get(zone)!.text).toBe('');
    await publishZones(portal.context, book);
    expect(await zoneFile(portal)).not.toContain(`${zone}. `);
  });

  test('are listed together if several, and stay unchanged while the registry can’t reach them', async () => {
    await using portal = await testPortal(kind);
    for (const day of [0, 15]) await onDay(portal, day).check();
    await onDay(portal, 15).run();
    expect(await subjects(portal)).toEqual([`${zone}: 2 name servers don’t answer`]);
    const [mail] = (await portal.mailsTo('tess@example-au.example')).filter(({ subject }) => subject.startsWith(zone));
    expect(mail!.body).toContain(`ns1.example.net and ns2.example.net haven’t answered for ${zone} for 15 days`);
    const rows = () => portal.db.read.rows(sql`select server, since, failed_at, answered_at from rdns_lame_server order by server`);
    const before = await rows();
    await portal.db.change(line, change =>
      noteLameServers(change, zone, {
        delegated,
        checked: delegated.map(server => ({ server, address: '2001:db8::1', state: 'unreached' }) as CheckedServer),
      }),
    );
    expect(await rows()).toEqual(before);
    for (const day of [30, 45, 60]) await onDay(portal, day).check();
    await onDay(portal, 60).run();
    expect((await subjects(portal)).at(-1)).toBe(`${zone}: 2 name servers left out of the zone`);
    const listed = async () => {
      const facts = await zoneFacts(portal.db.read, [{ zone, version: 1, changedAt: '2000-01-01T00:00:00.000Z' } as DelegatedZone]);
      return facts.get(zone)!.lame.map(({ server }) => server);
    };
    expect(await listed()).toEqual(delegated);
    await onDay(portal, 61).check(...delegated);
    // Still noted, until the policy puts them back; but they answer.
    expect([await listed(), (await rows()).length]).toEqual([[], 2]);
    await onDay(portal, 61).run();
    const last = (await portal.mailsTo('tess@example-au.example')).filter(({ subject }) => subject.startsWith(zone)).at(-1)!;
    expect(last.body).toContain('answer for 2.18.198.in-addr.arpa again, and are back');
  });

  test('nothing is left out when the last check is old, most zones seem lame, or the profile says so', async () => {
    await using portal = await testPortal(kind);
    const disabled = async () => (await portal.db.read.rows(sql`select 1 from rdns_lame_server where disabled_at is not null`)).length;
    await onDay(portal, 0).check('ns1.example.net');
    await onDay(portal, 20).run();
    expect(await subjects(portal)).toEqual([]);
    await onDay(portal, 20).check('ns1.example.net');
    await onDay(portal, 20).run();
    const { profile } = portal.context;
    profile.lameDisables = false;
    try {
      await onDay(portal, 70).check('ns1.example.net');
      await onDay(portal, 70).run();
      expect(await disabled()).toBe(0);
    } finally {
      profile.lameDisables = true;
    }
    await portal.db.change(line, change =>
      change.rows(sql`insert into rdns_zone (zone, state, dnssec, checked_at)
        select n || '.0.0.10.in-addr.arpa', 'lame', 'none', ${new Date(start + 70 * DAY_MS).toISOString()}::timestamptz from generate_series(1, 20) n`),
    );
    await onDay(portal, 70).run();
    expect(await disabled()).toBe(0);
    await portal.db.change(line, change => change.rows(sql`delete from rdns_zone where zone like '%.0.0.10.in-addr.arpa'`));
    await onDay(portal, 70).run();
    expect(await disabled()).toBe(1);
  });

  test('registry staff see each with its account and next step, and can search by zone, server, prefix or account; members can’t', async () => {
    await using portal = await testPortal(kind);
    const today = Math.floor((Date.now() - start) / DAY_MS);
    await onDay(portal, today - 20).check('ns1.example.net');
    await onDay(portal, today - 1).check('ns1.example.net');
    await portal.db.change(line, change => change.rows(sql`update rdns_lame_server set failed_at = now()`));
    const stella = await portal.as('stella');
    const list = async (query: object = {}) => (await stella(api.lameServers.listLameServers, { query })).data!;
    const row = { zone, server: 'ns2.example.net', accountName: account, prefix: '198.18.2.0/24', left: 1 };
    expect(await list()).toMatchObject({ total: 1, counts: { seen: 1, notified: 0 }, waits: false });
    expect(await list({ q: zone })).toMatchObject({ total: 1, rows: [{ ...row, step: 'seen', notifiedOn: null }] });
    await onDay(portal, today).run();
    for (const q of [zone, 'NS2', '198.18.0.0/19', '198.18.2.77', 'example-au'])
      expect(
        (await list({ q })).rows.find(each => each.zone === zone),
        q,
      ).toMatchObject({
        ...row,
        step: 'notified',
        nextOn: expect.any(String) as string,
      });
    for (const query of [{ q: '198.18.9.0/24' }, { q: 'OTHER-SG' }, { q: '100%' }, { step: 'disabled' }])
      expect(await list(query), JSON.stringify(query)).toMatchObject({ total: 0, rows: [] });
    const tess = await portal.as('tess');
    expect((await tess(api.lameServers.listLameServers, { query: {} })).status).toBe(404);
  });

  test('DNSSEC about to break is reported once, and again when it is broken', async () => {
    await using portal = await testPortal(kind);
    const soon = instantAfter(new Date(), DAY_MS);
    const note = (more: object) =>
      portal.db.change(line, change =>
        noteZoneState(
          change,
          zone,
          crypto.randomUUID(),
          {
            findings: [],
            servers: [],
            chain: [],
            keys: [],
            ds: ['1 13 2 AA'],
            cds: [],
            signatures: [],
            signaturesEnd: soon,
            raw: [],
            ...more,
          },
          'ok',
        ),
      );
    await note({});
    await note({});
    const failed = { check: 'dsMatches', state: 'failed', severity: 'error', group: 'dnssec', server: null, detail: 'No key matches' };
    await note({ findings: [failed] });
    await note({ findings: [failed] });
    expect(await subjects(portal)).toEqual([`${zone}: DNSSEC is about to break`, `${zone}: DNSSEC is broken`]);
  });
});
