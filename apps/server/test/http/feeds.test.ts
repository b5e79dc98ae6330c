import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { api } from '@portal/contract/api';
import { DAY_MS, HOUR_MS, instantBefore, MINUTE_MS } from '@portal/contract/days';
import { feedNames } from '@portal/contract/publication/feeds';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { zonePublisher } from '../../src/modules/reverse-dns/index.ts';
import { publisherServer } from '../../src/modules/rpki/repository/publisher.ts';
import { modules } from '../../src/modules.ts';
import { backupRounds, feedsOf, statesOfFeeds } from '../../src/platform/feeds.ts';
import { healthServer } from '../../src/platform/health.ts';
import { readingFrom } from '../../src/platform/module.ts';
import { noteRound, periodicHandler, scheduleOf } from '../../src/platform/periodic-work.ts';
import { testContext } from '../context.ts';
import { type TestPortal, testPortal } from '../portal.ts';

let portal: TestPortal;
let offset = 0;
const clock = () => new Date(Date.now() + offset);
beforeAll(async () => {
  portal = await testPortal(undefined, {}, clock);
});
afterAll(() => portal[Symbol.asyncDispose]());

const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };
const states = async (environment: Record<string, string> = {}) => {
  const config = { ...portal.config, feedMinutes: readConfig({ ...base, ...environment }).feedMinutes };
  return new Map((await statesOfFeeds({ ...portal.context, config })).map(state => [state.name, state]));
};
const base = { NODE_ENV: 'test', APP_URL: 'http://portal.test', DATABASE_URL: 'memory://' };
const ready = async (role: string): Promise<string[]> => {
  const health = healthServer({ ...testContext(portal), clock }, () => []);
  const { roles } = (await health.inject(`/readyz?role=${role}`)).json() as { roles: Record<string, string[]> };
  await health.close();
  return roles[role] ?? [];
};

/** Everything that publishes or sends, and its feed. A new publisher, place of publication or file-writing work needs a line here, and a feed. */
const makers: Record<string, (typeof feedNames)[number][]> = {
  'server publisher of reverse-dns': ['reverse-zones'],
  'server publisher of rpki': ['rpki-rrdp', 'rpki-rsync'],
  'server whois of whois': ['whois'],
  'place whois': ['whois'],
  'place irr': ['whois'],
  'place rdap': ['whois'],
  'place mirrors': ['nrtm4'],
  'place dns': ['reverse-zones'],
  'place rpki': ['rpki-rrdp'],
  'work mirrors.publishNrtm': ['nrtm4'],
  'work mirrors.dumpHourly': ['whois-files'],
  'work requests.publishFiles': ['statistics'],
  'work platform.publishLogRoots': ['log-roots'],
  'task mail.deliver': ['mail'],
  'task contacts.endErasedContact': ['mail'],
  'task identity.mailEmailChange': ['mail'],
  'task identity.mailPasswordReset': ['mail'],
  'task identity.mailRegistration': ['mail'],
  'worker of webhooks': ['webhooks'],
  'command backup': ['backups'],
};

test('everything that publishes or sends is a feed, once, with its age', async () => {
  const names = feedsOf(modules).map(({ name }) => name);
  expect(names.toSorted()).toEqual([...feedNames].toSorted());
  const found = [
    ...modules.flatMap(({ name, servers }) => servers?.map(({ role }) => `server ${role} of ${name}`) ?? []),
    ...modules.flatMap(({ publishing }) => publishing?.map(({ place }) => `place ${place}`) ?? []),
    ...scheduleOf(modules).flatMap(({ name }) => (/\.(publish|dump|write|export)/.test(name) ? [`work ${name}`] : [])),
    ...modules.flatMap(({ tasks }) => tasks?.flatMap(({ runner, name }) => (runner === 'mail' ? [`task ${name}`] : [])) ?? []),
    ...modules.flatMap(({ name, listen }) => (listen && name === 'webhooks' ? [`worker of ${name}`] : [])),
    'command backup',
  ];
  expect([...new Set(found)].toSorted()).toEqual(Object.keys(makers).toSorted());
  expect([...new Set(Object.values(makers).flat())].toSorted()).toEqual([...feedNames].toSorted());
});

test('/metrics, /readyz and the desk show the ages, and a feed that was never made is not late', async () => {
  for (const { late } of (await states()).values()) expect(late).toBe(false);
  const before = instantBefore(clock(), 3 * HOUR_MS);
  await noteRound(portal.db, 'mirrors.publishNrtm', { now: new Date(before), failure: null });
  expect((await states()).get('nrtm4')).toMatchObject({ asOf: before, most: 15, late: true });
  expect(await ready('worker')).toContainEqual(expect.stringMatching(/^NRTM for mirrors: 180 minutes old, 15 at most, as of /));
  const health = healthServer({ ...testContext(portal), clock }, () => []);
  const metrics = (await health.inject('/metrics')).body;
  await health.close();
  expect(metrics).toMatch(/^feed_age_seconds\{feed="nrtm4"\} 1080\d$/m);
  expect(metrics).toMatch(/^feed_most_seconds\{feed="nrtm4"\} 900$/m);
  expect(metrics).toMatch(/^feed_late\{feed="nrtm4"\} 1$/m);
  const stella = await portal.as('stella');
  expect((await stella(api.publicationFeeds.listFeeds, {})).data!.feeds).toContainEqual({
    name: 'nrtm4',
    title: 'NRTM for mirrors',
    asOf: before,
    most: 15,
    late: true,
  });
  expect((await (await portal.as('corin'))(api.publicationFeeds.listFeeds, {})).errors![0]!.code).toBe('NOT_FOUND');
  await noteRound(portal.db, 'mirrors.publishNrtm', { now: clock(), failure: null });
  expect((await states()).get('nrtm4')).toMatchObject({ late: false });
});

test('FEED_MINUTES sets how old a feed may be, and watches backups', async () => {
  await noteRound(portal.db, backupRounds, { now: new Date(instantBefore(clock(), 30 * HOUR_MS)), failure: null });
  expect((await states()).get('backups')).toMatchObject({ most: null, late: false });
  expect((await states({ FEED_MINUTES: 'backups=1560,mail=0' })).get('backups')).toMatchObject({ most: 1560, late: true });
  expect((await states({ FEED_MINUTES: 'backups=1560,mail=0' })).get('mail')).toMatchObject({ most: null });
  for (const wrong of ['backup=1', 'backups', 'backups=-1', 'backups=1,backups=2', 'backups=1000001'])
    expect(() => readConfig({ ...base, FEED_MINUTES: wrong }), wrong).toThrow(/FEED_MINUTES .* must be pairs such as backups=1560/);
});

test('a feed that was made in the future is late: a clock was wrong', async () => {
  const ahead = new Date(clock().getTime() + DAY_MS);
  await noteRound(portal.db, 'mirrors.publishNrtm', { now: ahead, failure: null });
  expect((await states()).get('nrtm4')).toMatchObject({ ageMs: 0, late: true });
  expect(await ready('worker')).toContainEqual(expect.stringContaining(`as of ${ahead.toISOString()}, which is in the future`));
  await noteRound(portal.db, 'mirrors.publishNrtm', { now: clock(), failure: null });
  expect((await states()).get('nrtm4')).toMatchObject({ late: false });
});

test('e-mail is late if nothing is sent any more, but not if one message waits for its server', async () => {
  const write = (minutes: number, sent: boolean) =>
    portal.db.change(line, change =>
      change.rows(sql`insert into mail (recipient, subject, body, topic, written_at, sent_at)
        values ('a@b.example', 's', 'b', 'rpki.roas', ${instantBefore(clock(), minutes * MINUTE_MS)}::timestamptz, ${sent ? clock().toISOString() : null}::timestamptz)`),
    );
  const age = async () => Math.round((await states()).get('mail')!.ageMs! / MINUTE_MS);
  await write(300, true);
  await write(290, false);
  expect(await age()).toBe(290);
  expect((await states()).get('mail')).toMatchObject({ late: true });
  await write(10, true);
  expect(await age()).toBe(0);
  await write(5, false);
  expect(await age()).toBe(5);
  expect((await states()).get('mail')).toMatchObject({ late: false });
});

test('webhooks are late if no delivery is attempted any more', async () => {
  const age = async () => Math.round((await states()).get('webhooks')!.ageMs! / MINUTE_MS);
  expect(await age()).toBe(0);
  await portal.db.change(line, async change => {
    await change.rows(sql`insert into webhook_event (activity_id, account_name) select max(activity_id), 'EXAMPLE-AU' from activity`);
  });
  offset += 45 * MINUTE_MS;
  expect(await age()).toBe(45);
  offset -= 45 * MINUTE_MS;
});

test('publishers report the age of their feeds from their first round on', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'feeds-'));
  try {
    const config = { ...portal.config, filesDir: folder, rpkiDir: path.join(folder, 'rpki') };
    const context = { ...portal.context, config };
    expect((await states()).get('reverse-zones')).toMatchObject({ asOf: null, late: false });
    for (const server of [zonePublisher, publisherServer]) {
      const running = await server.open(readingFrom('primary', context));
      const made = async () =>
        [...(await states()).values()].filter(({ asOf, role }) => role === 'publisher' && asOf !== null).map(({ name }) => name);
      await expect.poll(made, { timeout: 30_000 }).toContain(server === zonePublisher ? 'reverse-zones' : 'rpki-rsync');
      await running.close();
    }
    offset += HOUR_MS;
    expect((await ready('publisher')).filter(problem => / minutes old, /.test(problem)).map(problem => problem.split(':')[0])).toEqual(
      expect.arrayContaining(['Reverse zones', 'RPKI repository, RRDP', 'RPKI repository, rsync']),
    );
    offset -= HOUR_MS;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the age of whois files counts from when they were last written or found unchanged', async () => {
  const work = scheduleOf(modules).find(({ name }) => name === 'mirrors.dumpHourly')!;
  await portal.db.unrecorded
    .insertInto('periodicWork')
    .values({ name: work.name, knownSince: clock().toISOString() })
    .onConflict(on => on.doNothing())
    .execute();
  await periodicHandler(portal.context, work)();
  const first = (await states()).get('whois-files')!.asOf!;
  expect(Date.parse(first)).toBeGreaterThan(clock().getTime() - MINUTE_MS);
  await portal.db.change(line, change =>
    change.rows(sql`insert into whois_journal (serial, operation, class, key, shown, version, text, activity_id, happened_at)
      select max(serial) + 1, 'ADD', 'route', 'x', 'x', 1, 'route: x', max(activity_id), now() from whois_journal`),
  );
  offset += 2 * MINUTE_MS;
  await periodicHandler(portal.context, work)();
  expect(
    (await states()).get('whois-files')!.asOf,
    'the last change goes with the files of the next hour, unless that has begun',
  ).toSatisfy((asOf: string) => asOf === first || asOf.slice(0, 13) > first.slice(0, 13));
  offset += 4 * HOUR_MS;
  expect((await states()).get('whois-files')).toMatchObject({ most: 180, late: true });
  await periodicHandler(portal.context, work)();
  expect((await states()).get('whois-files')).toMatchObject({ late: false });
  offset -= 4 * HOUR_MS;
});
