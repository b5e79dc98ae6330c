import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { api } from '@portal/contract/api';
import type { Stage } from '@portal/contract/announcements/announcement-shapes';
import type { AnnouncementValues } from '@portal/contract/announcements/announcement-values';
import { DAY_MS, HOUR_MS, instantAfter, instantBefore, MINUTE_MS, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApp } from '../../app.ts';
import { readConfig } from '../../config.ts';
import { migrate, openDatabase } from '../../platform/database/index.ts';
import type { PublicAnnouncement } from '../announcements/index.ts';
import { feedsOf } from '../../platform/feeds.ts';
import { modules } from '../../modules.ts';
import { testContext } from '../../../test/context.ts';
import { canOwnPostgres, ownPostgres } from '../../../test/database/own-postgres.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { incidentPicture } from './incident-picture.ts';
import { availabilityOf, keepOutage, minutesByDay, readServiceDays, recordServiceDay, SHOWN_DAYS } from './service-days.ts';
import { daysWithIncidents } from './notices.ts';
import { ownFeeds, services } from './service-list.ts';
import { timeSpan, worstOf } from './status-page.ts';

type Json = {
  databaseDownSince: string | null;
  services: {
    service: string;
    state: string;
    note: string;
    available: number | null;
    days: { day: string; workingMinutes: number; lateMinutes: number }[];
  }[];
  feeds: { name: string; late: boolean }[];
};

test('every feed belongs to a service, or is the operators’ own', () => {
  const shown = new Set(services.flatMap(({ feeds }) => feeds));
  expect(
    feedsOf(modules)
      .map(({ name }) => name)
      .filter(name => !shown.has(name) && !ownFeeds.has(name)),
  ).toEqual([]);
  for (const { module: name } of services)
    if (name !== undefined) expect(modules.find(each => each.name === name)?.notReady, name).toBeDefined();
});

test.each([
  [12_000, '12 s'],
  [4 * MINUTE_MS, '4 min'],
  [110 * MINUTE_MS, '110 min'],
  [150 * MINUTE_MS, '2 h 30 min'],
  [26 * HOUR_MS, '26 h'],
  [3 * DAY_MS, '3 days'],
])('%d ms are %s', (milliseconds, words) => expect(timeSpan(milliseconds)).toBe(words));

describe('days of a service', () => {
  test('outages that several processes saw count once, and on each day they touch', () => {
    const minutes = minutesByDay([
      { since: '2026-11-20T23:50:00Z', until: '2026-11-21T00:10:00Z' },
      { since: '2026-11-20T23:52:00Z', until: '2026-11-21T00:12:00Z' },
      { since: '2026-11-21T08:00:00Z', until: '2026-11-21T08:05:00Z' },
      { since: '2026-11-22T08:00:00Z', until: '2026-11-22T08:00:10Z' },
    ]);
    expect(Object.fromEntries(minutes)).toEqual({ '2026-11-20': 10, '2026-11-21': 17, '2026-11-22': 1 });
  });
  test('a service that answers late is available; what was not measured counts for nothing', () => {
    const day = '2026-11-20';
    expect(availabilityOf([])).toBeNull();
    expect(availabilityOf([{ day, working: 0, late: 0, down: 0 }])).toBeNull();
    expect(availabilityOf([{ day, working: 80, late: 10, down: 10 }])).toBe(0.9);
  });
  test('a day counts as the worst that happened on it', () => {
    const day = '2026-11-20';
    expect(worstOf({ day, working: 1400, late: 30, down: 10 })).toBe('down');
    expect(worstOf({ day, working: 1400, late: 40, down: 0 })).toBe('late');
    expect(worstOf({ day, working: 1440, late: 0, down: 0 })).toBe('working');
    expect(worstOf({ day, working: 0, late: 0, down: 0 })).toBe('unmeasured');
  });
});

describe.each(kindsForRules)('the status page on %s', kind => {
  let portal: TestPortal;
  let now = new Date();
  beforeAll(async () => {
    portal = await testPortal(kind, {}, () => now);
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  const get = (url: string, headers: Record<string, string> = {}) =>
    portal.http.inject({ url, headers: { host: 'portal.test', ...headers } });
  const later = (milliseconds: number): void => {
    now = new Date(now.getTime() + milliseconds);
  };
  const json = async (): Promise<Json> => (await get('/status?as=json')).json<Json>();
  const stateOf = async (service: string) => (await json()).services.find(each => each.service === service)!;

  test('anyone sees that all services work, without a cookie', async () => {
    const { statusCode, headers, body } = await get('/status');
    expect(statusCode).toBe(200);
    expect(body).toContain('All services work');
    for (const { title } of services) expect(body).toContain(title);
    expect(body).not.toContain('Backups');
    expect(body).not.toContain('noindex');
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['cache-control']).toBe('public, max-age=15');
    expect((await get('/status', { 'if-none-match': String(headers['etag']) })).statusCode).toBe(304);
    expect((await get('/status?as=xml')).statusCode).toBe(404);
    expect((await get('/status?as=headline')).json()).toEqual({ state: 'working', title: 'All services work', readAt: expect.any(String) });
  });

  test('a feed that is too old makes its service late, for people, programs and the days', async () => {
    const days = await readServiceDays(portal.db.read, now);
    expect(days.get('reverse-dns')).toHaveLength(SHOWN_DAYS);
    await sql`insert into periodic_work (name, known_since, succeeded_at) values ('reverseDns.publishZones', now(), ${instantBefore(now, HOUR_MS)}::timestamptz)
      on conflict (name) do update set succeeded_at = excluded.succeeded_at`.execute(portal.db.unrecorded);
    later(MINUTE_MS);
    expect(await stateOf('reverse-dns')).toMatchObject({ state: 'late', note: 'Older than promised: Reverse zones' });
    expect((await json()).feeds).toContainEqual(expect.objectContaining({ name: 'reverse-zones', late: true }));
    const { body } = await get('/status');
    expect(body).toContain('One service is delayed');

    const noted = await recordServiceDay(testContextOf(), null);
    later(5 * MINUTE_MS);
    const again = await recordServiceDay(testContextOf(), noted);
    later(3 * HOUR_MS);
    await recordServiceDay(testContextOf(), again);
    const today = (await readServiceDays(portal.db.read, now)).get('reverse-dns')!;
    // No one knows how it was while no worker ran.
    expect(today.slice(-2).reduce((sum, { late }) => sum + late, 0)).toBe(15);
    expect(
      (await readServiceDays(portal.db.read, now))
        .get('portal')!
        .slice(-2)
        .reduce((sum, { working }) => sum + working, 0),
    ).toBe(15);
  });
  const testContextOf = () => testContext({ ...portal, clock: () => now });

  test('an outage of the database counts against what answers from it, and delays what is published', async () => {
    const since = new Date(Date.parse(`${utcDay(now)}T00:00:00Z`) - 2 * DAY_MS + 3 * HOUR_MS);
    for (let twice = 0; twice < 2; twice++) await keepOutage(portal.db, since, new Date(since.getTime() + 12 * MINUTE_MS));
    const days = await readServiceDays(portal.db.read, now);
    const of = (service: string) => days.get(service)!.find(({ day }) => day === utcDay(since))!;
    expect(of('portal')).toMatchObject({ late: 0, down: 12 });
    expect(of('rpki')).toMatchObject({ late: 12, down: 0 });
  });

  test('announced incidents and maintenance for everyone are on the page and in the feed, others are not', async () => {
    const line = { action: 'test', summary: 'Announced', traceId: '0'.repeat(32) };
    await portal.db.change(line, async change => {
      for (const [category, severity, audience, title] of [
        ['service', 'warning', 'all', 'Whois was slow'],
        ['service', 'info', 'all', 'A new service'],
        ['maintenance', 'info', 'all', 'New servers on Saturday'],
        ['service', 'critical', 'members', 'For members only'],
      ] as const)
        await change.rows(sql`insert into announcement (category, severity, audience, title, body, publish_at, created_at)
          values (${category}, ${severity}, ${audience}, ${title}, 'The text', ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz)`);
    });
    later(MINUTE_MS);
    const { body } = await get('/status');
    const feed = await get('/status/feed.atom');
    expect(feed.headers['content-type']).toBe('application/atom+xml; charset=utf-8');
    for (const text of [body, feed.body]) {
      expect(text).toContain('Whois was slow');
      expect(text).toContain('New servers on Saturday');
      expect(text).not.toContain('For members only');
      expect(text).not.toContain('A new service');
    }
  });

  test('planned work has its days, drawn and in words, and leads to the numbers it is about', async () => {
    const line = { action: 'test', summary: 'Announced', traceId: '0'.repeat(32) };
    const from = new Date(Date.parse(`${utcDay(now)}T12:00:00Z`) + 7 * DAY_MS);
    const until = new Date(from.getTime() + 90 * MINUTE_MS);
    const announce = (title: string, concerns: string[], happensUntil: Date | null) =>
      portal.db.change(line, change =>
        change.rows(sql`insert into announcement (category, severity, audience, title, body, publish_at, created_at, happens_from, happens_until, concerns)
          values ('maintenance', 'info', 'all', ${title}, 'The text', ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz, ${from.toISOString()}::timestamptz,
            ${happensUntil?.toISOString() ?? null}::timestamptz, ${concerns}::text[])`),
      );
    await announce('Name servers move', ['198.18.0.0/19', 'AS64500'], until);
    later(MINUTE_MS);
    const { body } = await get('/status');
    const words = body.replace(/<[^>]+>/g, '');
    expect(words).toMatch(/12:00 to 13:30 UTC in 7 days/);
    expect(body).toContain('href="/whois/198.18.0.0/19"');
    expect(body).toContain('href="/whois/AS64500"');
    expect(body).toMatch(/aria-label="Five weeks from [^"]*Work is planned on [^"]*"/);
    const planned = (await get('/status?as=json')).json<{ planned: { title: string; concerns: string[]; happensFrom: string }[] }>()
      .planned;
    expect(planned.find(({ title }) => title === 'Name servers move')).toMatchObject({
      concerns: ['198.18.0.0/19', 'AS64500'],
      happensFrom: from.toISOString(),
    });
    expect((await get('/status/feed.atom')).body).toMatch(
      /From \d{4}-\d\d-\d\d 12:00 UTC until [^.]*\. About 198\.18\.0\.0\/19, AS64500\./,
    );
    // It begins, and is over.
    later(7 * DAY_MS + 12 * HOUR_MS);
    expect((await get('/status')).body).toMatch(
      /Name servers move<\/h3><span class="badge (?:warning">.*?Under way|plain">(?:Planned|Over))/,
    );
    later(DAY_MS);
    expect((await get('/status')).body).toMatch(/Name servers move<\/h3><span class="badge plain">Over/);
  });
});

const incident = (given: Partial<PublicAnnouncement>): PublicAnnouncement => ({
  announcementId: '1',
  category: 'service',
  severity: 'warning',
  title: 'Whois is slow',
  body: 'The text',
  publishedAt: '2026-11-20T08:10:00Z',
  expiresAt: null,
  happensFrom: '2026-11-20T08:00:00Z',
  happensUntil: null,
  services: ['whois'],
  concerns: [],
  updates: [],
  ...given,
});
const measured = { day: '2026-11-20', working: 600, late: 0, down: 0 };

test.each([
  ['an open one counts until now', [incident({})], { working: 570, late: 30, down: 0 }],
  ['one that is over counts until its end', [incident({ happensUntil: '2026-11-20T08:10:00Z' })], { working: 590, late: 10, down: 0 }],
  ['a critical one stops its services', [incident({ severity: 'critical' })], { working: 570, late: 0, down: 30 }],
  [
    'those at the same time count once, the worse first',
    [incident({}), incident({ severity: 'critical', happensUntil: '2026-11-20T08:10:00Z' })],
    { working: 570, late: 20, down: 10 },
  ],
  ['one of another service counts for nothing', [incident({ services: ['rdap'] })], measured],
  ['planned work counts as it is measured', [incident({ category: 'maintenance' })], measured],
  ['information counts for nothing', [incident({ severity: 'info' })], measured],
  ['one of tomorrow counts for nothing yet', [incident({ happensFrom: '2026-11-21T08:00:00Z' })], measured],
] as const)('of announced incidents, %s', (_rule, announcements, minutes) => {
  const days = daysWithIncidents(new Map([['whois', [measured]]]), { announcements }, new Date('2026-11-20T08:30:00Z'));
  expect(days.get('whois')).toMatchObject([{ ...minutes, day: measured.day }]);
});

test('minutes that were measured as bad or not at all count once with those of an incident', () => {
  const announcements = [incident({ severity: 'critical' })];
  const of = (day: typeof measured) =>
    daysWithIncidents(new Map([['whois', [day]]]), { announcements }, new Date('2026-11-20T08:30:00Z')).get('whois')![0];
  expect(of({ ...measured, working: 500, down: 100 })).toMatchObject({ working: 500, late: 0, down: 100 });
  expect(of({ ...measured, working: 10, late: 5 })).toMatchObject({ working: 0, late: 0, down: 30 });
  expect(of({ ...measured, working: 0 })).toMatchObject({ working: 0, late: 0, down: 30 });
});

describe.each(kindsForRules)('announced incidents of services on %s', kind => {
  test('each service has its open incident and its planned work, for people, programs and feed readers, until it is over', async () => {
    let now = new Date();
    await using portal = await testPortal(kind, {}, () => now);
    const stella = await portal.as('stella');
    const get = (url: string) => portal.http.inject({ url, headers: { host: 'portal.test' } });
    const announce = async (given: Partial<AnnouncementValues> & Pick<AnnouncementValues, 'title'>) =>
      (
        await stella(api.deskAnnouncements.addAnnouncement, {
          body: {
            category: 'service',
            severity: 'warning',
            body: 'The text',
            audience: 'all',
            resources: [],
            economies: [],
            kinds: [],
            requiresAck: false,
            publishAt: instantBefore(now, 20 * MINUTE_MS),
            expiresAt: null,
            ...given,
          },
        })
      ).data!;
    const later = () => {
      now = new Date(now.getTime() + MINUTE_MS);
    };
    const update = async ({ announcementId, version }: { announcementId: string; version: number }, stage: Stage, text: string) =>
      (await stella(api.deskAnnouncements.addAnnouncementUpdate, { announcementId, body: { version, stage, text } })).data!;
    await announce({
      category: 'maintenance',
      severity: 'info',
      title: 'Servers of RDAP move',
      services: ['rdap'],
      happensFrom: instantAfter(now, 3 * DAY_MS),
      happensUntil: instantAfter(now, 3 * DAY_MS + HOUR_MS),
    });
    await announce({ title: 'For members only', audience: 'members', services: ['api'] });
    const slow = await announce({ title: 'Whois is slow', services: ['whois', 'rdap'] });
    const found = await update(slow, 'found', 'A disk is slow.');
    later();
    const words = (await get('/status')).body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
    expect(words).toContain('2 services are delayed Open incident: Whois is slow.');
    expect(words).toMatch(/Whois port 43 and IRR Incident: Whois is slow /);
    expect(words).toMatch(/RDAP Incident: Whois is slow Planned work: Servers of RDAP move , in 3 days/);
    expect(words).toMatch(/Affects Whois, RDAP Service, announced [^.]*Cause found \d+ \w+ 20\d\d, \d\d:\d\d UTC A disk is slow\./);
    expect(words).not.toContain('For members only');
    const json = (await get('/status?as=json')).json<{ services: Record<string, unknown>[]; incidents: object[] }>();
    const of = (service: string) => json.services.find(each => each['service'] === service)!;
    expect(of('whois')).toMatchObject({ state: 'late', openIncidents: [slow.announcementId], plannedWork: [] });
    expect(of('rdap')).toMatchObject({ state: 'late', openIncidents: [slow.announcementId], plannedWork: [expect.any(String)] });
    expect(of('api')).toMatchObject({ state: 'working', openIncidents: [], plannedWork: [] });
    expect(json.incidents[0]).toMatchObject({ services: ['whois', 'rdap'], updates: [{ stage: 'found', text: 'A disk is slow.' }] });
    const feed = (await get('/status/feed.atom')).body;
    expect(feed).toContain(`<updated>${found.updates[0]!.at}</updated>`);
    expect(feed).toMatch(/<category term="Service"\/><category term="Whois"\/><category term="RDAP"\/>/);
    expect(feed).toMatch(/Cause found, [-\d]+ \d\d:\d\d UTC: A disk is slow\.\n\nFrom [^.]*\. Affects Whois, RDAP\.\n\nThe text/);
    const minutesToday = async () =>
      (await get('/status?as=json'))
        .json<Json>()
        .services.find(({ service }) => service === 'rdap')!
        .days.slice(-2)
        .reduce((sum, { lateMinutes }) => sum + lateMinutes, 0);
    expect(await minutesToday()).toBeGreaterThanOrEqual(20);
    expect(await update(found, 'over', 'The disk is replaced.')).toMatchObject({ state: 'ended' });
    later();
    const over = (await get('/status')).body;
    expect(over).toContain('All services work');
    expect(over).toContain('The disk is replaced.');
    expect(await minutesToday()).toBeGreaterThanOrEqual(20);
  });
});

/** A web server with the report of a watcher, which it gives to those with the key. */
async function watcherAt(reportOf: () => object, key = 'watch-key') {
  const server = createServer((request, reply) => {
    reply.statusCode = request.headers.authorization === `Bearer ${key}` ? 200 : 401;
    reply.end(reply.statusCode === 200 ? JSON.stringify(reportOf()) : '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/watch.json`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

describe.each(kindsForRules)('a registry that is watched from outside, on %s', kind => {
  test('shows what the watcher sees, by days as well, and since when it doesn’t report', async () => {
    let now = new Date();
    const check = (service: string, state: string, note = '') => ({ service, state, milliseconds: 42, note });
    let checks = [check('outside-whois', 'working'), check('outside-rrdp', 'working')];
    let at = now;
    await using watcher = await watcherAt(() => ({ version: 1, at: at.toISOString(), checks }));
    await using portal = await testPortal(kind, { WATCH_URL: watcher.url, WATCH_KEY: 'watch-key' }, () => now);
    const get = (url: string) => portal.http.inject({ url, headers: { host: 'portal.test' } });
    const good = await get('/status');
    expect(good.body).toContain('Seen from outside');
    expect(good.body).toContain('42 ms');
    expect(good.body).toContain('All services work');

    now = new Date(now.getTime() + MINUTE_MS);
    at = now;
    checks = [check('outside-whois', 'working'), check('outside-rrdp', 'down', 'The connection is refused.')];
    expect((await get('/status')).body).toContain('One service is not answering from outside');
    expect((await get('/status?as=headline')).json()).toMatchObject({ state: 'down' });
    expect((await get('/status?as=json')).json()).toMatchObject({
      outside: {
        seenAt: at.toISOString(),
        current: true,
        services: [{ state: 'working' }, { title: 'RPKI repository, RRDP', note: 'The connection is refused.' }],
      },
    });
    await recordServiceDay(testContext({ ...portal, clock: () => now }), null);
    const days = async (service: string) =>
      (await readServiceDays(portal.db.read, now))
        .get(service)!
        .reduce((sum, { working, down }) => [sum[0]! + working, sum[1]! + down], [0, 0]);
    expect([await days('outside-whois'), await days('outside-rrdp')]).toEqual([
      [5, 0],
      [0, 5],
    ]);

    // It stops: nothing is said of the services, and no day counts.
    now = new Date(now.getTime() + 7 * MINUTE_MS);
    const { body } = await get('/status');
    expect(body).toContain(`Not watched since ${at.toISOString().slice(11, 16)} UTC`);
    expect(body).not.toContain('not answering from outside');
    expect((await get('/status?as=json')).json()).toMatchObject({ outside: { seenAt: at.toISOString(), current: false } });
    await recordServiceDay(testContext({ ...portal, clock: () => now }), null);
    expect([await days('outside-whois'), await days('outside-rrdp')]).toEqual([
      [5, 0],
      [0, 5],
    ]);
  });
});

describe.each(kindsForRules)('a registry that is watched from three places, on %s', kind => {
  test('says that a service is down where most of them do, and names the one that is silent', async () => {
    let now = new Date();
    let states = ['working', 'working', 'down'];
    let silent: number | null = null;
    const lastOf: string[] = [];
    const watchers = await Promise.all(
      [0, 1, 2].map(index =>
        watcherAt(() => {
          if (silent !== index) lastOf[index] = now.toISOString();
          const state = states[index]!;
          return {
            version: 1,
            at: lastOf[index],
            checks: [{ service: 'outside-whois', state, milliseconds: 40 + index, note: state === 'down' ? 'No answer.' : '' }],
          };
        }, `key-${index}`),
      ),
    );
    const places = ['Singapore', 'Frankfurt', 'Quito'];
    const pairs = (of: (index: number) => string) => places.map((place, index) => `${place}=${of(index)}`).join('; ');
    await using portal = await testPortal(
      kind,
      { WATCH_URL: pairs(index => watchers[index]!.url), WATCH_KEY: pairs(index => `key-${index}`) },
      () => now,
    );
    const get = (url: string) => portal.http.inject({ url, headers: { host: 'portal.test' } });
    const words = async () => (await get('/status')).body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
    const most = await words();
    expect(most).toContain('By 3 watchers on other networks');
    expect(most).toContain('All services work');
    expect(most).toMatch(/Whois, port 43 Quito: No answer\. Singapore 40 ms Frankfurt 41 ms Quito no answer Working/);

    now = new Date(now.getTime() + MINUTE_MS);
    states = ['working', 'down', 'down'];
    expect(await words()).toContain('One service is not answering from outside');
    expect((await get('/status?as=json')).json()).toMatchObject({
      outside: {
        current: true,
        services: [{ service: 'outside-whois', state: 'down' }],
        watchers: [
          { place: 'Singapore', current: true, services: [{ state: 'working' }] },
          { place: 'Frankfurt', services: [{ state: 'down', title: 'Whois, port 43' }] },
          { place: 'Quito' },
        ],
      },
    });

    silent = 2;
    states = ['working', 'working', 'down'];
    const before = lastOf[2]!;
    now = new Date(now.getTime() + 7 * MINUTE_MS);
    const quiet = await words();
    expect(quiet).toContain('All services work');
    expect(quiet).toContain(`The watcher in Quito hasn’t reported since ${before.slice(11, 16)} UTC`);
    expect(quiet).toMatch(/Singapore 40 ms Frankfurt 41 ms Working/);
    await Promise.all(watchers.map(watcher => watcher[Symbol.asyncDispose]()));
  });
});

describe.runIf(canOwnPostgres())('with PostgreSQL stopped', () => {
  test('the status page says since when, shows what was known, and keeps the outage when the database is back', async () => {
    await using postgres = await ownPostgres();
    const db = await openDatabase({ url: postgres.url, pools: { reader: 2, writer: 2 } });
    await migrate(db);
    let now = new Date('2026-11-20T08:00:00Z');
    await using watcher = await watcherAt(() => ({
      version: 1,
      at: now.toISOString(),
      checks: [{ service: 'outside-rsync', state: 'working', milliseconds: 42, note: '' }],
    }));
    const config = readConfig({
      NODE_ENV: 'test',
      APP_URL: 'http://portal.test',
      DATABASE_URL: postgres.url,
      LOG_LEVEL: 'silent',
      WATCH_URL: watcher.url,
      WATCH_KEY: 'watch-key',
    });
    const app = await openApp(testContext({ db, config, clock: () => now }), { webFolder: null });
    const get = (url: string) => app.http.inject({ url, headers: { host: 'portal.test' } });
    const json = async (): Promise<Json> => (await get('/status?as=json')).json<Json>();
    expect((await get('/status')).body).toContain('All services work');

    await db.change({ action: 'test', summary: 'Announced', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`insert into announcement (category, severity, audience, title, body, publish_at, created_at, services)
        values ('service', 'critical', 'all', 'The repository is closed', 'The text', '2026-11-20T07:50:00Z', '2026-11-20T07:50:00Z', '{rpki}')`),
    );
    now = new Date('2026-11-20T08:00:20Z');
    expect((await get('/status')).body).toContain('Open incident: The repository is closed.');
    await postgres.stop('immediate');
    now = new Date('2026-11-20T08:01:00Z');
    expect((await get('/status?as=headline')).json()).toMatchObject({
      state: 'down',
      title: expect.stringContaining('database hasn’t answered'),
    });
    const page = await get('/status');
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.body).toContain('The registry’s database hasn’t answered since 08:00 UTC');
    // Incidents that were known are still said of their services.
    expect(page.body).toMatch(/<th scope="row">RPKI repository .*?Incident: <a href="#notice-\d+">The repository is closed<\/a>/);
    now = new Date('2026-11-20T08:07:00Z');
    const during = await json();
    // The watcher is asked without the database.
    expect(during).toMatchObject({
      outside: { seenAt: now.toISOString(), current: true, services: [{ service: 'outside-rsync', state: 'working' }] },
    });
    expect(during.databaseDownSince).toBe('2026-11-20T08:00:20.000Z');
    expect(during.services.find(({ service }) => service === 'rdap')!.state).toBe('down');
    expect(during.services.find(({ service }) => service === 'mirrors')!.state).toBe('late');
    expect(during.services.find(({ service }) => service === 'rpki')!.state).toBe('down');
    expect((await get('/status/feed.atom')).body).toContain('hasn’t answered since');

    await postgres.start();
    now = new Date('2026-11-20T08:10:00Z');
    const after = await json();
    expect(after.databaseDownSince).toBeNull();
    now = new Date('2026-11-20T08:11:00Z');
    const days = (await readServiceDays(db.read, now)).get('rdap')!;
    expect(days.at(-1)).toMatchObject({ day: '2026-11-20', down: 10 });
    await app.close();
    await db.close();
  });
});

test('an incident is drawn from its beginning to its end or now, with its updates in the order of their times', () => {
  const at = (minute: number): string => `2026-11-24T08:${String(minute).padStart(2, '0')}:00.000Z`;
  const updates = [20, 9].map(minute => ({ stage: 'found' as const, text: '', at: at(minute) }));
  const drawn = (happensUntil: string | null): string =>
    String((incidentPicture({ happensFrom: at(0), happensUntil, updates }, new Date(at(25))) as { markup: string }).markup);
  const over = drawn(at(20));
  expect(over.match(/<text class="step"[^>]*>\d/g)!.map(each => each.at(-1))).toEqual(['2', '1']);
  expect(over).toContain('>08:15</text>');
  expect(over).not.toContain('class="now"');
  expect(drawn(null)).toContain('>now</text>');
});
