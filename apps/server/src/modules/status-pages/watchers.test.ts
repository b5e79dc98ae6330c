import { api } from '@portal/contract/api';
import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { testContext } from '../../../test/context.ts';
import { kindsForRules, testPortal, type TestPortal } from '../../../test/portal.ts';
import { canOwnPostgres, ownPostgres } from '../../../test/database/own-postgres.ts';
import { migrate, openDatabase } from '../../platform/database/index.ts';
import { openApp } from '../../app.ts';
import { readConfig } from '../../config.ts';
import { readServiceDays, recordServiceDay } from './service-days.ts';
import { newWatcherToken, tokenHashIn } from './watcher-tokens.ts';

const reportAt = (at: Date, state = 'working', service = 'outside-whois') => ({
  version: 1,
  at: at.toISOString(),
  checks: [{ service, state, milliseconds: 42, note: state === 'working' ? '' : 'No answer.' }],
});
type Inject = TestPortal['http'];
const sendWith = async (http: Inject, token: string | null, report: unknown) => {
  const { statusCode, headers, body } = await http.inject({
    method: 'POST',
    url: '/status/watch',
    headers: {
      host: 'portal.test',
      'content-type': 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    payload: typeof report === 'string' ? report : JSON.stringify(report),
  });
  return { status: statusCode, headers, body };
};

test('a token is recognised by its beginning and checksum', () => {
  const { token, hash, prefix } = newWatcherToken();
  expect(token).toMatch(/^mr_watch_[0-9A-Za-z]{46}$/);
  expect(token.startsWith(prefix)).toBe(true);
  expect(tokenHashIn(`Bearer ${token}`)).toEqual(hash);
  const wrongEnd = token.endsWith('A') ? 'B' : 'A';
  for (const wrong of [
    undefined,
    token,
    `Bearer ${token}x`,
    `Bearer ${token.slice(0, -1)}${wrongEnd}`,
    `Bearer ${token.replace('watch', 'match')}`,
  ])
    expect(tokenHashIn(wrong)).toBeNull();
});

describe.each(kindsForRules)('watchers with tokens on %s', kind => {
  test('staff create a token, which is shown once and reports to the status page, and revoke it', async () => {
    let now = new Date();
    await using portal = await testPortal(kind, {}, () => now);
    const later = (milliseconds = MINUTE_MS) => {
      now = new Date(now.getTime() + milliseconds);
    };
    const stella = await portal.as('stella');
    const list = async () => (await stella(api.watchers.listWatchers, {})).data!;
    expect(await list()).toEqual({ rows: [], fetched: [] });
    const made = (await stella(api.watchers.addWatcher, { body: { place: 'Singapore' } })).data!;
    const { token, watcher } = made;
    expect(watcher).toMatchObject({ place: 'Singapore', state: 'new', lastUse: null, prefix: token!.slice(0, 17) });
    expect((await portal.http.inject({ url: '/status', headers: { host: 'portal.test' } })).body).toContain('Not watched yet');

    expect((await sendWith(portal.http, token, reportAt(now, 'down'))).status).toBe(204);
    const page = async () =>
      (await portal.http.inject({ url: '/status', headers: { host: 'portal.test' } })).body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
    later();
    expect(await page()).toMatch(/Whois, port 43 Singapore: No answer\. .*Singapore no answer/);
    expect((await list()).rows[0]).toMatchObject({ state: 'reporting', lastUse: { at: expect.any(String), address: '127.0.0.1' } });
    // The ninety days count it, in the worker too.
    await recordServiceDay(testContext({ ...portal, clock: () => now }), null);
    expect((await readServiceDays(portal.db.read, now)).get('outside-whois')!.at(-1)).toMatchObject({ down: 5 });

    const hostile = '<img src=x onerror=alert(1)>';
    expect((await stella(api.watchers.renameWatcher, { watcherId: watcher.watcherId, body: { place: hostile } })).data).toMatchObject({
      place: hostile,
    });
    later();
    expect((await sendWith(portal.http, token, reportAt(now, 'down'))).status).toBe(204);
    const { body: shown } = await portal.http.inject({ url: '/status', headers: { host: 'portal.test' } });
    expect(shown).toContain('&lt;img src=x');
    expect(shown).not.toContain('<img');
    expect((await stella(api.watchers.renameWatcher, { watcherId: watcher.watcherId, body: { place: 'Jakarta' } })).data).toMatchObject({
      place: 'Jakarta',
      prefix: watcher.prefix,
    });
    later();
    expect((await sendWith(portal.http, token, reportAt(now))).status).toBe(204);
    later();
    expect(await page()).toMatch(/Jakarta 42 ms/);

    expect((await stella(api.watchers.revokeWatcher, { watcherId: watcher.watcherId })).data).toMatchObject({ state: 'revoked' });
    const refused = await sendWith(portal.http, token, reportAt(now));
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    later();
    expect(await page()).not.toContain('Seen from outside');
    expect((await stella(api.watchers.revokeWatcher, { watcherId: watcher.watcherId })).errors![0]!.code).toBe('ALREADY_RESOLVED');
    expect((await stella(api.watchers.renameWatcher, { watcherId: watcher.watcherId, body: { place: 'Suva' } })).errors![0]!.code).toBe(
      'ALREADY_RESOLVED',
    );
    expect((await stella(api.watchers.revokeWatcher, { watcherId: '999' })).status).toBe(404);
    // Another one that stops reporting is silent.
    const other = (await stella(api.watchers.addWatcher, { body: { place: 'Quito' } })).data!;
    expect((await sendWith(portal.http, other.token, reportAt(now))).status).toBe(204);
    later(6 * MINUTE_MS);
    expect((await list()).rows.map(({ place, state }) => [place, state])).toEqual([
      ['Quito', 'silent'],
      ['Jakarta', 'revoked'],
    ]);
    const lines = await portal.db.read.rows<{ action: string }>(
      sql`select action from activity where action like 'statusPages.watchers.%' order by activity_id`,
    );
    expect([...new Set(lines.map(({ action }) => action.split('.')[2]))]).toEqual(['addWatcher', 'renameWatcher', 'revokeWatcher']);
    // The token isn't stored anywhere.
    for (const found of [
      sql`select 1 from activity where details::text like ${`%${token!}%`}`,
      sql`select 1 from row_change c where to_jsonb(c)::text like ${`%${token!}%`}`,
      sql`select 1 from watcher w where to_jsonb(w)::text like ${`%${token!}%`}`,
    ])
      expect(await portal.db.read.rows(found)).toEqual([]);
  });

  test('names are taken once, there are at most eight, and only those who run the registry see them', async () => {
    await using portal = await testPortal(kind, { WATCH_URL: 'https://watch.example/watch.json' });
    const stella = await portal.as('stella');
    const add = (place: string) => stella(api.watchers.addWatcher, { body: { place } });
    expect((await stella(api.watchers.listWatchers, {})).data!.fetched).toEqual(['watch.example']);
    const { watcher } = (await add('Quito')).data!;
    expect((await add('quito')).errors).toMatchObject([{ code: 'WATCHER_PLACE_TAKEN', field: 'place' }]);
    expect((await add('Watch.example')).errors![0]!.code).toBe('WATCHER_PLACE_TAKEN');
    expect((await add('Q')).status).toBe(400);
    expect((await stella(api.watchers.renameWatcher, { watcherId: watcher.watcherId, body: { place: 'Quito' } })).errors![0]!.code).toBe(
      'NOTHING_TO_DO',
    );
    for (let n = 2; n <= 7; n++) expect((await add(`Place ${n}`)).status).toBe(200);
    expect((await add('One more')).errors![0]!.code).toBe('TOO_MANY_WATCHERS');
    await stella(api.watchers.revokeWatcher, { watcherId: watcher.watcherId });
    expect((await add('Quito')).status).toBe(200);
    expect((await (await portal.as('corin'))(api.watchers.listWatchers, {})).status).toBe(404);
  });

  test('what isn’t a report of a known watcher is refused and changes nothing', async () => {
    let now = new Date();
    await using portal = await testPortal(kind, {}, () => now);
    const stella = await portal.as('stella');
    const { token } = (await stella(api.watchers.addWatcher, { body: { place: 'Singapore' } })).data!;
    const wrong = async (report: unknown, of: string | null = token) => (await sendWith(portal.http, of, report)).status;
    expect(await wrong(reportAt(now), null)).toBe(401);
    expect(await wrong(reportAt(now), 'mr_live_x')).toBe(401);
    expect(await wrong(reportAt(now), newWatcherToken().token)).toBe(401);
    expect(await wrong('{')).toBe(422);
    expect(await wrong({ ...reportAt(now), version: 2 })).toBe(422);
    expect(await wrong(reportAt(now, 'working', 'outside-other'))).toBe(422);
    expect(await wrong(reportAt(new Date(now.getTime() + 5 * MINUTE_MS)))).toBe(422);
    expect(await wrong(' '.repeat(21_000))).toBe(413);
    expect(await portal.db.read.selectFrom('watcherReport').selectAll().execute()).toEqual([]);
    expect(await wrong(reportAt(now))).toBe(204);
    now = new Date(now.getTime() + SECOND_MS);
    expect(await wrong(reportAt(now))).toBe(429);
    now = new Date(now.getTime() + 5 * SECOND_MS);
    expect(await wrong(reportAt(now))).toBe(204);
  });
});

describe.runIf(canOwnPostgres())('with PostgreSQL stopped', () => {
  test('a watcher that was known still reports, and is shown', async () => {
    await using postgres = await ownPostgres();
    const db = await openDatabase({ url: postgres.url, pools: { reader: 2, writer: 2 } });
    await migrate(db);
    let now = new Date('2026-11-20T08:00:00Z');
    const config = readConfig({ NODE_ENV: 'test', APP_URL: 'http://portal.test', DATABASE_URL: postgres.url, LOG_LEVEL: 'silent' });
    const app = await openApp(testContext({ db, config, clock: () => now }), { webFolder: null });
    const { token, hash, prefix } = newWatcherToken();
    await db.change({ action: 'test', summary: 'Test', traceId: '0'.repeat(32) }, async change => {
      await change.rows(
        sql`insert into login (login_id, username, email, full_name, display_name, nickname, created_at) values ('w', 'w', 'w@registry.example', 'W', 'W', 'W', now())`,
      );
      await change.rows(sql`insert into watcher (place, token_hash, token_prefix, login_id, created_at)
        values ('Singapore', ${hash}, ${prefix}, 'w', now())`);
    });
    expect((await sendWith(app.http, token, reportAt(now))).status).toBe(204);
    await postgres.stop('immediate');
    now = new Date(now.getTime() + MINUTE_MS);
    expect((await sendWith(app.http, token, reportAt(now, 'down'))).status).toBe(202);
    const words = (await app.http.inject({ url: '/status', headers: { host: 'portal.test' } })).body
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ');
    expect(words).toMatch(/Singapore: No answer\./);
    await app.close();
    await db.close();
  });
});
