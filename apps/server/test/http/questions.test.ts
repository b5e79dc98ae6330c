import Fastify, { type FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { makeOwnFeed } from '../../src/modules/announcements/own-feeds.ts';
import type { Database } from '../../src/platform/database/index.ts';
import { openCallerAddress } from '../../src/platform/http/caller-address.ts';
import { publicTurns } from '../../src/platform/http/public-turns.ts';
import { readingFrom } from '../../src/platform/module.ts';
import { testContext } from '../context.ts';
import { askingElsewhere } from '../database/asking-elsewhere.ts';
import { migratedDatabase, type TestCopy } from '../database/migrated-database.ts';
import { demoDatabase } from '../portal.ts';

const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };

/** The pages that strangers read of a database. */
async function pagesOn(db: Database): Promise<FastifyInstance> {
  const http = Fastify();
  const context = testContext({ db, config: readConfig({ NODE_ENV: 'test' }) });
  const addressOf = openCallerAddress({ hops: 0 });
  http.addHook('onRequest', async request => {
    request.address = addressOf(request.raw);
  });
  const publicTurn = publicTurns();
  for (const { name, pages } of context.modules)
    if (pages && ['rdap', 'whois-pages', 'numbers-pages', 'status-pages', 'announcements'].includes(name))
      pages.serve(http, { ...readingFrom(pages.readsFrom, context), asset: source => source, publicTurn });
  await http.ready();
  return http;
}

/** The replica is that of an empty registry: it knows neither numbers nor figures nor logins. */
describe('public pages with a replica that is behind', () => {
  let replica: TestCopy;
  let primary: Awaited<ReturnType<typeof demoDatabase>>;
  let db: Database;
  /** The same pages, and those of a registry without replicas. */
  let pages: FastifyInstance;
  let withoutReplica: FastifyInstance;
  const read = async (url: string, on = pages) => {
    const { statusCode, body } = await on.inject({ url, remoteAddress: '192.0.2.1' });
    return { status: statusCode, body };
  };
  beforeAll(async () => {
    [primary, replica] = [await demoDatabase('embedded'), await migratedDatabase('embedded')];
    db = askingElsewhere(primary.db, replica.database);
    [pages, withoutReplica] = [await pagesOn(db), await pagesOn(primary.db)];
  });
  afterAll(async () => {
    await pages?.close();
    await withoutReplica?.close();
    await replica?.[Symbol.asyncDispose]();
    await primary?.db.close();
    await primary?.drop();
  });

  test.each([
    ['/rdap/ip/198.18.0.0/19', 302],
    ['/whois/198.18.0.0/19?as=json', 404],
    ['/whois/198.18.0.0/19', 404],
  ])('%s is answered by the replica alone', async (url, status) => {
    expect((await read(url, withoutReplica)).status).toBe(200);
    expect((await read(url)).status).toBe(status);
  });

  test('the feed of announcements for everyone is read there too', async () => {
    const itemsOn = async (on: FastifyInstance): Promise<unknown[]> =>
      (JSON.parse((await read('/feeds/announcements.json', on)).body) as { items: unknown[] }).items;
    expect(await itemsOn(withoutReplica)).not.toEqual([]);
    expect(await itemsOn(pages)).toEqual([]);
  });

  test('the status of services is read at the primary, where no feed is late because of a replica', async () => {
    const { body } = await read('/status?as=json');
    const { announcements, services } = JSON.parse(body) as { announcements?: unknown; services: { days: unknown[] }[] };
    expect(
      services.some(({ days }) => days.length > 30),
      JSON.stringify(announcements),
    ).toBe(true);
  });

  test('a person’s own feed is read at the primary, where its address ends immediately', async () => {
    const [login] = await db.read.rows<{ loginId: string }>(
      sql`select login_id::text as login_id from login where disabled_at is null limit 1`,
    );
    const { jsonUrl } = await db.change(line, change =>
      makeOwnFeed({ change, caller: { loginId: login!.loginId }, registry: { config: { appUrl: '' } } }),
    );
    expect((await read(jsonUrl)).status).toBe(200);
  });
});
