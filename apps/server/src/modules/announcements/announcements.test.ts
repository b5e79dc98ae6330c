import { api } from '@portal/contract/api';
import type { Stage } from '@portal/contract/announcements/announcement-shapes';
import type { AnnouncementValues } from '@portal/contract/announcements/announcement-values';
import { HOUR_MS, instantAfter, instantBefore, SECOND_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { kindsForRules, testPortal, type TestPortal } from '../../../test/portal.ts';
import { notifyOfAnnouncements } from './notifying.ts';

const inHours = (hours: number): string => instantAfter(Date.now(), hours * HOUR_MS);
const values = (given: Partial<AnnouncementValues> = {}): AnnouncementValues => ({
  category: 'maintenance',
  severity: 'warning',
  title: 'Whois is read-only',
  body: 'For an hour.\n\nQueries are answered.',
  audience: 'all',
  resources: [],
  economies: [],
  kinds: [],
  requiresAck: false,
  publishAt: inHours(-1),
  expiresAt: inHours(5),
  ...given,
});
const write = async (portal: TestPortal, given: Partial<AnnouncementValues> = {}) =>
  (await portal.as('stella'))(api.deskAnnouncements.addAnnouncement, { body: values(given) });
const titles = async (portal: TestPortal, who: string) =>
  (await (await portal.as(who))(api.announcements.listAnnouncements, { query: {} })).data!.rows.map(({ title }) => title);
const banners = async (portal: TestPortal, who: string) =>
  (await (await portal.as(who))(api.announcements.listBanners, {})).data!.rows.map(({ title }) => title);

describe.each(kindsForRules)('announcements on %s', kind => {
  test('each audience reads only its announcements', async () => {
    await using portal = await testPortal(kind);
    for (const audience of ['all', 'members', 'nirs', 'corporate'] as const) await write(portal, { audience, title: `For ${audience}` });
    await write(portal, { audience: 'resources', resources: ['198.18.3.0/24', 'as64501'], title: 'For resources' });
    const seen = async (who: string) => (await titles(portal, who)).filter(title => title.startsWith('For')).toSorted();
    expect(await seen('nadia')).toEqual(['For all']);
    expect(await seen('bill')).toEqual(['For all', 'For members', 'For resources']);
    expect(await seen('olive')).toEqual(['For all', 'For corporate', 'For members', 'For resources']);
    expect(await seen('nils')).toEqual(['For all', 'For corporate', 'For members', 'For nirs']);
    expect(await seen('hana')).toEqual(['For all', 'For corporate', 'For members']);
  });

  test('affected accounts are those that hold a part of the resources; invalid resources are named', async () => {
    await using portal = await testPortal(kind);
    const answer = await write(portal, { audience: 'resources', resources: ['198.18.0.0/15', 'AS64501'] });
    expect(answer.data!.accounts).toEqual(expect.arrayContaining(['EXAMPLE-AU', 'NATREG-XX', 'OTHER-SG']));
    expect(answer.data!.accounts).not.toContain('SOUTHSITE-NZ');
    const wrong = await write(portal, { audience: 'resources', resources: ['198.18.0.0/15', 'nonsense'] });
    expect(wrong.errors).toMatchObject([{ field: 'resources', message: expect.stringContaining('"nonsense" isn’t a prefix') }]);
    expect((await write(portal, { audience: 'resources', resources: [] })).status).toBe(400);
  });

  test('work has its days and the numbers it is about, which can be corrected, and what an older page sends leaves them', async () => {
    await using portal = await testPortal(kind);
    const [from, until] = [inHours(30), inHours(32)];
    const out = (await write(portal, { happensFrom: from, happensUntil: until, concerns: ['198.18.0.0/19', 'as64500'] })).data!;
    expect(out).toMatchObject({ happensFrom: from, happensUntil: until, concerns: ['198.18.0.0/19', 'AS64500'], state: 'published' });
    const { announcementId, version, publishAt } = out;
    const stella = await portal.as('stella');
    const change = (given: Partial<AnnouncementValues>, of: number) =>
      stella(api.deskAnnouncements.changeAnnouncement, { announcementId, body: { version: of, values: values({ publishAt, ...given }) } });
    const older = (await change({ title: 'Another title' }, version)).data!;
    expect(older).toMatchObject({ title: 'Another title', happensFrom: from, happensUntil: until, concerns: ['198.18.0.0/19', 'AS64500'] });
    const corrected = (await change({ happensFrom: null, happensUntil: null, concerns: [] }, version + 1)).data!;
    expect(corrected).toMatchObject({ happensFrom: null, happensUntil: null, concerns: [] });
    for (const [given, field] of [
      [{ happensUntil: until }, 'happensFrom'],
      [{ happensFrom: until, happensUntil: from }, 'happensUntil'],
      [{ concerns: ['nonsense'] }, 'concerns'],
      [{ concerns: Array.from({ length: 51 }, () => 'AS1') }, 'concerns'],
    ] as const)
      expect((await write(portal, given as Partial<AnnouncementValues>)).errors, field).toMatchObject([{ field }]);
  });

  test('an incident names the services it affects, and its readers follow what becomes known until it is over', async () => {
    let now = new Date();
    await using portal = await testPortal(kind, {}, () => now);
    const stella = await portal.as('stella');
    const read = async (announcementId: string) =>
      (await (await portal.as('nadia'))(api.announcements.listAnnouncements, { query: {} })).data!.rows.find(
        row => row.announcementId === announcementId,
      )!;
    const written = (await write(portal, { category: 'service', services: ['rdap', 'whois'], publishAt: instantBefore(now.getTime(), 1) }))
      .data!;
    expect(written).toMatchObject({ services: ['whois', 'rdap'], updates: [], happensFrom: null });
    const { announcementId } = written;
    let { version } = written;
    const update = async (stage: Stage, text: string) => {
      now = new Date(now.getTime() + SECOND_MS);
      const { data, status, errors } = await stella(api.deskAnnouncements.addAnnouncementUpdate, {
        announcementId,
        body: { version, stage, text },
      });
      version = data?.version ?? version;
      return data ?? { status, errors };
    };
    await update('investigating', 'Queries take long.');
    expect(await update('found', 'A disk is slow.')).toMatchObject({
      happensFrom: written.publishAt,
      happensUntil: null,
      state: 'published',
    });
    expect((await read(announcementId)).updates).toMatchObject([
      { stage: 'found', text: 'A disk is slow.', at: now.toISOString() },
      { stage: 'investigating', text: 'Queries take long.' },
    ]);
    expect(await banners(portal, 'nadia')).toContain(written.title);
    await notifyOfAnnouncements(portal.db, now);
    const { rows: told } = (await (await portal.as('nadia'))(api.notifications.listNotifications, { query: {} })).data!;
    expect(told[0]!.text).toBe('Affected services: Whois, RDAP.\n\nFor an hour.\n\nQueries are answered.');
    expect(await update('over', 'The disk is replaced.')).toMatchObject({
      happensUntil: now.toISOString(),
      expiresAt: now.toISOString(),
      state: 'ended',
    });
    expect(await banners(portal, 'nadia')).not.toContain(written.title);
    expect(await read(announcementId)).toMatchObject({ current: false, services: ['whois', 'rdap'] });
    // It comes back.
    expect(await update('investigating', 'It is slow again.')).toMatchObject({ happensUntil: null, expiresAt: null, state: 'published' });
    expect(await update('begun', 'Nothing')).toMatchObject({ status: 400, errors: [{ field: 'stage' }] });
    version -= 1;
    expect(await update('found', 'The other disk is slow.')).toMatchObject({ status: 412 });
  });

  test('only published incidents and work have updates, and work ends neither before it begins nor by a reader', async () => {
    await using portal = await testPortal(kind);
    const stella = await portal.as('stella');
    const update = async (given: Partial<AnnouncementValues>, stage: Stage) => {
      const { announcementId, version } = (await write(portal, given)).data!;
      return stella(api.deskAnnouncements.addAnnouncementUpdate, { announcementId, body: { version, stage, text: 'The text' } });
    };
    expect(await update({ publishAt: null }, 'begun')).toMatchObject({ status: 409, errors: [{ code: 'ANNOUNCEMENT_STATE' }] });
    expect((await update({ category: 'policy' }, 'over')).errors).toMatchObject([
      { field: 'stage', message: 'Updates are for incidents and planned work. This announcement is about policy' },
    ]);
    const [happensFrom, happensUntil] = [inHours(1), inHours(3)];
    expect((await update({ happensFrom, happensUntil }, 'over')).errors).toMatchObject([
      { field: 'stage', message: expect.stringContaining('hasn’t begun') },
    ]);
    const early = (await update({ happensFrom, happensUntil }, 'begun')).data!;
    expect(early.happensUntil).toBe(happensUntil);
    expect(Date.parse(early.happensFrom!)).toBeLessThan(Date.parse(happensFrom));
    const { announcementId, version } = early;
    expect(
      (
        await (
          await portal.as('nadia')
        )(api.deskAnnouncements.addAnnouncementUpdate, { announcementId, body: { version, stage: 'over', text: 'Mine' } })
      ).status,
    ).toBe(404);
    expect((await write(portal, { services: ['gopher' as 'whois'] })).status).toBe(400);
  });

  test('affected accounts can be filtered by economy and kind of resource, staff see their number before publication, and no one else reads it', async () => {
    await using portal = await testPortal(kind);
    const draft = (await write(portal, { audience: 'resources', economies: ['NZ'], kinds: ['ipv4'], title: 'For NZ', publishAt: null }))
      .data!;
    expect(draft).toMatchObject({ state: 'draft', economies: ['NZ'], kinds: ['ipv4'], resources: [] });
    expect(draft.accounts).toContain('SOUTHSITE-NZ');
    expect(draft.accounts).not.toContain('OTHER-SG');
    expect(draft.people).toBeGreaterThan(0);
    expect(await titles(portal, 'corin')).not.toContain('For NZ');
    const { announcementId, version, people } = draft;
    const stella = await portal.as('stella');
    const given = values({ audience: 'resources', economies: ['NZ'], kinds: ['ipv4'], title: 'For NZ' });
    const out = await stella(api.deskAnnouncements.changeAnnouncement, { announcementId, body: { version, values: given } });
    expect(out.data).toMatchObject({ state: 'published', people });
    expect(await titles(portal, 'corin')).toContain('For NZ');
    expect(await titles(portal, 'olive')).not.toContain('For NZ');
    expect(await notifyOfAnnouncements(portal.db, new Date())).toBeGreaterThanOrEqual(people);
    expect((await portal.mailsTo('olive@other-sg.example')).map(({ subject }) => subject)).not.toContain('For NZ');
    for (const feed of ['atom', 'json'])
      expect((await portal.http.inject({ url: `/feeds/announcements.${feed}`, headers: { host: 'portal.test' } })).body).not.toContain(
        'For NZ',
      );
    // All filters apply: Olive's account holds nothing in NZ.
    const both = await write(portal, { audience: 'resources', resources: ['AS64501'], economies: ['NZ'], publishAt: null });
    expect(both.data!.accounts).toEqual([]);
    expect((await write(portal, { audience: 'resources', economies: ['nz'], publishAt: null })).data!.economies).toEqual(['NZ']);
    expect((await write(portal, { audience: 'resources', economies: ['New Zealand'] })).errors).toMatchObject([
      { field: 'economies', message: 'Enter two-letter economy codes, such as AU, NZ' },
    ]);
    expect((await write(portal, { economies: ['NZ'] })).status).toBe(400);
  });

  test('accounts that come to hold an affected resource before a scheduled announcement goes out are notified of it', async () => {
    await using portal = await testPortal(kind);
    await write(portal, {
      audience: 'resources',
      resources: ['198.18.0.0/19'],
      title: 'Scheduled',
      publishAt: inHours(1),
      expiresAt: inHours(9),
    });
    await portal.db.change({ action: 'test', summary: 'test', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`update delegation set account_name = 'OTHER-SG' where resource = '198.18.0.0/19'`),
    );
    await notifyOfAnnouncements(portal.db, new Date(inHours(2)));
    expect((await portal.mailsTo('olive@other-sg.example')).map(({ subject }) => subject)).toContain('Scheduled');
  });

  test('a banner is shown from its time until it ends, is withdrawn or is acknowledged', async () => {
    await using portal = await testPortal(kind);
    const { announcementId, version } = (await write(portal)).data!;
    await write(portal, { title: 'Later', publishAt: inHours(1) });
    await write(portal, { title: 'Draft', publishAt: null });
    await write(portal, { title: 'Ended', publishAt: inHours(-3), expiresAt: inHours(-1) });
    await write(portal, { title: 'Quiet', severity: 'info' });
    await write(portal, { title: 'Acknowledge me', severity: 'info', requiresAck: true });
    expect(await banners(portal, 'nadia')).toEqual(['Whois is read-only', 'Acknowledge me']);
    const nadia = await portal.as('nadia');
    const acknowledged = await nadia(api.announcements.acknowledgeAnnouncement, { announcementId });
    expect(acknowledged.data!.acknowledgedAt).not.toBeNull();
    expect(await banners(portal, 'nadia')).toEqual(['Acknowledge me']);
    expect(await banners(portal, 'bill')).toContain('Whois is read-only');
    const stella = await portal.as('stella');
    const withdraw = { announcementId, body: { version, reason: 'It was wrong' } };
    expect((await stella(api.deskAnnouncements.withdrawAnnouncement, withdraw)).data).toMatchObject({
      state: 'withdrawn',
      acknowledged: 1,
    });
    expect((await stella(api.deskAnnouncements.withdrawAnnouncement, withdraw)).errors![0]!.code).toBe('STALE');
    expect(await banners(portal, 'bill')).toEqual([expect.stringContaining('198.18.0.0/19'), 'Acknowledge me']);
    expect((await nadia(api.announcements.acknowledgeAnnouncement, { announcementId })).status).toBe(404);
    expect((await nadia(api.deskAnnouncements.listStaffAnnouncements, { query: {} })).status).toBe(404);
  });

  test('the text of a published announcement can be corrected, its audience and time can’t', async () => {
    await using portal = await testPortal(kind);
    const given = values();
    const stella = await portal.as('stella');
    const { announcementId, version } = (await stella(api.deskAnnouncements.addAnnouncement, { body: given })).data!;
    const change = (more: Partial<AnnouncementValues>, of = version) =>
      stella(api.deskAnnouncements.changeAnnouncement, { announcementId, body: { version: of, values: { ...given, ...more } } });
    expect((await change({ audience: 'nirs' })).errors![0]!.code).toBe('ANNOUNCEMENT_STATE');
    expect((await change({ publishAt: inHours(1) })).errors![0]!.code).toBe('ANNOUNCEMENT_STATE');
    expect((await change({ title: 'Whois is read-only for two hours' })).data!.version).toBe(version + 1);
    expect((await change({})).errors![0]!.code).toBe('STALE');
  });

  test('people of the audience are notified once, when the time has come', async () => {
    await using portal = await testPortal(kind);
    await write(portal, { audience: 'nirs', title: 'For registries', publishAt: inHours(1) });
    expect(await notifyOfAnnouncements(portal.db, new Date())).toBe(0);
    expect(await notifyOfAnnouncements(portal.db, new Date(inHours(2)))).toBe(1);
    expect(await notifyOfAnnouncements(portal.db, new Date(inHours(2)))).toBe(0);
    const { rows } = (await (await portal.as('nils'))(api.notifications.listNotifications, { query: {} })).data!;
    expect(rows[0]).toMatchObject({ topic: 'announcements.news', title: 'For registries', text: 'For an hour.\n\nQueries are answered.' });
  });

  test('the feeds have announcements for everyone, and HTML in them stays text', async () => {
    await using portal = await testPortal(kind);
    await write(portal, { title: '<script>alert(1)</script> & more', body: 'Line \u0007 one' });
    await write(portal, { title: 'For members', audience: 'members' });
    const get = (path: string) => portal.http.inject({ url: path, headers: { host: 'portal.test' } });
    const atom = await get('/feeds/announcements.atom');
    expect(atom.headers['content-type']).toBe('application/atom+xml; charset=utf-8');
    expect(atom.body).toContain('<title>&lt;script&gt;alert(1)&lt;/script&gt; &amp; more</title>');
    expect(atom.body).not.toContain('\u0007');
    expect(atom.body).not.toContain('For members');
    const feed = (await get('/feeds/announcements.json')).json() as { version: string; items: { title: string }[] };
    expect(feed.version).toBe('https://jsonfeed.org/version/1.1');
    expect(feed.items.map(({ title }) => title)).toEqual([
      '<script>alert(1)</script> & more',
      'Whois answered slowly',
      'Abuse mailboxes are validated twice a year',
      'The keys of the trust anchor are renewed',
    ]);
  });

  test('a private feed has what its person reads, and its address stops working once it is replaced or deleted, or the login is disabled', async () => {
    await using portal = await testPortal(kind);
    await write(portal, { audience: 'resources', resources: ['AS64501'], title: 'Peering <b>moves</b>' });
    const [olive, nadia] = [await portal.as('olive'), await portal.as('nadia')];
    const read = (url: string) => portal.http.inject({ url: new URL(url).pathname, headers: { host: 'portal.test' } });
    expect((await olive(api.ownFeeds.getOwnFeed, {})).data).toEqual({ madeAt: null });
    const first = (await olive(api.ownFeeds.makeOwnFeed, {})).data!;
    expect((await olive(api.ownFeeds.getOwnFeed, {})).data).toEqual({ madeAt: first.madeAt });
    const atom = await read(first.atomUrl);
    expect(atom.headers).toMatchObject({ 'cache-control': 'private, max-age=300', 'x-robots-tag': 'noindex' });
    expect(atom.headers).not.toHaveProperty('access-control-allow-origin');
    expect(atom.body).toContain('Peering &lt;b&gt;moves&lt;/b&gt;');
    expect(atom.body).toContain('Affects OTHER-SG.');
    const items = async (url: string) => ((await read(url)).json<{ items: { title: string }[] }>().items ?? []).map(({ title }) => title);
    expect(await items(first.jsonUrl)).toContain('Peering <b>moves</b>');
    // Another person's feed has none of it.
    expect(await items((await nadia(api.ownFeeds.makeOwnFeed, {})).data!.jsonUrl)).not.toContain('Peering <b>moves</b>');
    // The address isn't stored anywhere.
    const secret = /own\/(.+)\.atom/.exec(first.atomUrl)![1]!;
    const kept = await portal.db.read.rows(sql`select 1 from activity where details::text like ${`%${secret}%`} union all
      select 1 from row_change c where to_jsonb(c)::text like ${`%${secret}%`}`);
    expect(kept).toEqual([]);

    const second = (await olive(api.ownFeeds.makeOwnFeed, {})).data!;
    expect([(await read(first.atomUrl)).statusCode, (await read(second.atomUrl)).statusCode]).toEqual([404, 200]);
    const disable = (at: string | null) =>
      portal.db.change({ action: 'test', summary: 'Test', traceId: '0'.repeat(32) }, change =>
        change.rows(sql`update login set disabled_at = ${at}::timestamptz where username = 'olive'`),
      );
    await disable(inHours(0));
    expect((await read(second.atomUrl)).statusCode).toBe(404);
    await disable(null);
    expect((await olive(api.ownFeeds.endOwnFeed, {})).data).toEqual({ madeAt: null });
    for (const url of [
      second.atomUrl,
      second.jsonUrl,
      'http://portal.test/feeds/own/x.atom',
      `http://portal.test/feeds/own/${'A'.repeat(32)}.xml`,
    ])
      expect((await read(url)).statusCode).toBe(404);
  });
});
