import net from 'node:net';
import { MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../portal.ts';
import { longestTurnOf } from '../thread-costs.ts';
import { type WhoisServer, whoisServer } from '../whois-server.ts';

/** The longest, in ms of processor time, for which an answer holds up everything else: an object or two, and the memory that is collected. */
const MAX_MS = 12;
/** The same of a page, of which 40 KB are written in one piece, and of objects that are taken apart for mirrors. */
const MAX_PIECE_MS = 20;
/** Objects, contacts and origins that are stored of each kind. */
const MANY = 30;
/** Versions of one object, and those of them that are long. */
const VERSIONS = 1_050;
const LONG_VERSIONS = 60;

/** SQL: an object that is as long as it may be, and has as many lines. */
const long = (head: string): string => `${head} || repeat('remarks: 0123456789' || chr(10), 9900) || 'source: EXAMPLE' || chr(10)`;

let portal: TestPortal;
let whois: WhoisServer;
let uncopied: WhoisServer;
/** Stores objects that members may write within their limits in a month: long ones in one prefix, of one route, named by one object, and in one history; and sets of 125,000 members. */
beforeAll(async () => {
  portal = await testPortal();
  const line = { action: 'test', summary: 'Stored long objects', traceId: '0'.repeat(32) };
  await portal.db.change(line, async change => {
    const run = (text: string) => change.rows(sql.raw(text));
    const objects =
      'insert into whois_object (class, key, shown, text, version, first, last, prefix_length, origin, first_as, last_as, created_at, changed_at)';
    await run(`with n as (select n, '198.19.250.' || 2 * n as a, '198.19.250.' || 2 * n + 1 as z from generate_series(0, ${MANY}) n)
      ${objects} select 'inetnum', a || ' - ' || z, a || ' - ' || z, ${long(`'inetnum: ' || a || ' - ' || z || chr(10) || 'netname: LONG' || chr(10)`)}, 1,
        a::inet, z::inet, 31, null, null, null, now(), now() from n`);
    await run(`with stored as (${objects} select 'route', '198.19.252.0/24as' || 70000 + n, '198.19.252.0/24AS' || 70000 + n,
        ${long(`'route: 198.19.252.0/24' || chr(10) || 'origin: AS' || 70000 + n || chr(10)`)}, 1, '198.19.252.0', '198.19.252.255', 24, 70000 + n, null, null, now(), now()
        from generate_series(1, ${MANY}) n returning object_id)
      insert into whois_reference (object_id, attribute, value) select object_id, 'mnt-by', 'maint-long' from stored`);
    await run(`${objects} select 'person', 'lp' || n || '-ex', 'LP' || n || '-EX', ${long(`'person: Long Person' || chr(10) || 'nic-hdl: LP' || n || '-EX' || chr(10)`)}, 1,
        null, null, null, null, null, null, now(), now() from generate_series(1, ${MANY}) n`);
    await run(`with stored as (${objects} select 'inetnum', '198.19.251.0 - 198.19.251.255', '198.19.251.0 - 198.19.251.255', 'inetnum: 198.19.251.0 - 198.19.251.255' || chr(10)
          || (select string_agg('admin-c: LP' || n || '-EX' || chr(10), '') from generate_series(1, ${MANY}) n) || 'source: EXAMPLE' || chr(10), 1, '198.19.251.0', '198.19.251.255', 24, null, null, null, now(), now() returning object_id)
      insert into whois_reference (object_id, attribute, value) select object_id, 'admin-c', 'lp' || n || '-ex' from stored, generate_series(1, ${MANY}) n`);
    await run(`with stored as (${objects} select 'as-set', 'as-long' || n, 'AS-LONG' || n, 'as-set: AS-LONG' || n || chr(10) || 'source: EXAMPLE' || chr(10), 1, null, null, null, null, null, null, now(), now()
        from generate_series(1, 5) n returning object_id, key)
      insert into whois_reference (object_id, attribute, value) select object_id, 'members', m from stored cross join lateral (
        select 'as' || 100000 + 25000 * right(key, 1)::int + n as m from generate_series(1, 25000) n
        union all select 'as-long' || n from generate_series(2, 5) n where key = 'as-long1') wanted`);
    await run(`insert into whois_journal (serial, operation, class, key, shown, version, text, activity_id, happened_at)
      select (select coalesce(max(serial), 0) from whois_journal) + n, 'ADD', 'aut-num', 'as64999', 'AS64999', n, 'aut-num: AS64999' || chr(10) || 'remarks: ' || n || chr(10)
        || case when n > ${VERSIONS - LONG_VERSIONS} then repeat('remarks: 0123456789' || chr(10), 9900) else '' end || 'source: EXAMPLE' || chr(10), 1, now()
      from generate_series(1, ${VERSIONS}) n`);
  });
  whois = await whoisServer({ on: portal.db });
  uncopied = await whoisServer({ on: portal.db, memoryMegabytes: 0 });
}, 5 * MINUTE_MS);
afterAll(async () => {
  await whois[Symbol.asyncDispose]();
  await uncopied[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

/** Sends a query and reads the answer as it comes; returns its bytes, its beginning and its end. */
function ask(port: number, query: string): Promise<{ bytes: number; start: string; end: string }> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let bytes = 0;
    let start = '';
    let end = '';
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (start.length < 4_000) start += chunk.toString('latin1');
      end = (end + chunk.toString('latin1', Math.max(0, chunk.length - 1_000))).slice(-1_000);
    });
    socket.on('end', () => resolve({ bytes, start, end }));
    socket.on('error', reject);
    socket.end(`${query}\n`);
  });
}

const MEGABYTE = 1_000_000;
const lastSerial = async (): Promise<number> =>
  (await portal.db.read.rows<{ serial: number }>(sql`select max(serial)::float8 as serial from whois_journal`))[0]!.serial;

test.each<[string, () => Promise<string>, (answer: { bytes: number; start: string; end: string }) => boolean, number?]>([
  [
    'the versions of an object',
    async () => '--list-versions AS64999',
    ({ start, end }) => start.includes(`The last 1000 of ${VERSIONS} versions`) && end.includes(`\n${VERSIONS} `),
  ],
  ['one version', async () => '--show-version 1047 AS64999', ({ bytes, start }) => bytes > 190_000 && start.includes('remarks: 1047\n')],
  [
    'the difference of two',
    async () => '--diff-versions 1047:1048 AS64999',
    ({ bytes, start }) => bytes > 190_000 && start.includes('-remarks: 1047\n+remarks: 1048\n'),
  ],
  ['long objects in a range', async () => '-r -M 198.19.250.0/24', ({ bytes }) => bytes > MANY * 190_000],
  ['those that lie in no other', async () => '-r -m 198.19.250.0/24', ({ bytes }) => bytes > MANY * 190_000],
  ['the same in another encoding', async () => '-r -Z latin1 -M 198.19.250.0/24', ({ bytes }) => bytes > MANY * 190_000],
  ['long routes of one prefix', async () => '-r -x 198.19.252.0/24', ({ bytes }) => bytes > MANY * 190_000],
  ['those of a maintainer', async () => '-r -i mnt-by MAINT-LONG', ({ bytes }) => bytes > MANY * 190_000],
  [
    'long contacts of an object',
    async () => '198.19.251.1',
    ({ bytes, start }) =>
      bytes < 10_000 && start.includes("% Contacts of '198.19.251.0 - 198.19.251.255' left out for their length or number: LP1-EX"),
  ],
  ['an answer of IRRd’s protocol', async () => '!oMAINT-LONG', ({ bytes, end }) => bytes < 3 * MEGABYTE && end.includes('% Cut here: ')],
  ['routes in it', async () => '!r198.19.252.0/24', ({ bytes, end }) => bytes < 3 * MEGABYTE && end.includes('% Cut here: ')],
  ['a large set', async () => '!iAS-LONG1,1', ({ bytes }) => bytes > MEGABYTE / 2 && bytes < MEGABYTE],
  ['its direct members', async () => '!iAS-LONG2', ({ bytes }) => bytes > 200_000],
  ['its prefixes', async () => '!aAS-LONG1', ({ start }) => start.startsWith('A') || start === 'D\n'],
  [
    'changes for mirrors',
    async () => `-g EXAMPLE:3:${(await lastSerial()) - MANY}-LAST`,
    ({ bytes, end }) => bytes > MANY * 190_000 && end.includes('%END'),
    MAX_PIECE_MS,
  ],
])('%s are answered on port 43, which holds up nothing', { timeout: 5 * MINUTE_MS }, async (_name, query, isRight, bound = MAX_MS) => {
  const line = await query();
  for (const { port43 } of [whois, uncopied]) {
    await ask(port43.port, '-q version');
    const longest = await longestTurnOf(bound, async () => {
      const answer = await ask(port43.port, line);
      expect(isRight(answer), `${answer.bytes} bytes: ${answer.start.slice(0, 600)} … ${answer.end.slice(-300)}`).toBe(true);
    });
    expect(longest).toBeLessThan(bound);
  }
});

test.each<[string, number, number]>([
  ['/whois/query?key=AS64999&versions=1', 200, MEGABYTE],
  ['/whois/198.19.250.0/31', 200, MEGABYTE],
  ['/whois/198.19.250.0/31?as=text', 200, MEGABYTE],
  ['/whois/query?key=198.19.250.0%2F24&level=-M&as=text', 200, MEGABYTE],
  ['/whois/198.19.252.0/24', 200, MEGABYTE],
  ['/whois/198.19.251.1', 200, MEGABYTE],
  ['/rdap/ips/rirSearch1/rdap-bottom/198.19.250.0/24', 200, MEGABYTE],
  ['/rdap/ips/rirSearch1/rdap-up/198.19.250.0/32', 200, MEGABYTE],
  ['/rdap/ips?name=long*', 200, MEGABYTE],
  ['/rdap/ip/198.19.251.1', 200, MEGABYTE],
])('%s is answered, which holds up nothing', { timeout: 5 * MINUTE_MS }, async (path, status, most) => {
  const longest = await longestTurnOf(MAX_PIECE_MS, async () => {
    const answer = await portal.request(path);
    expect(answer.status).toBe(status);
    expect((await answer.text()).length).toBeLessThan(most);
  });
  expect(longest).toBeLessThan(MAX_PIECE_MS);
});
