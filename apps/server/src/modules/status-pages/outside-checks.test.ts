import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer as createWebServer, type Server as WebServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { instantBefore, MINUTE_MS } from '@portal/contract/days';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outsideNames, type WatchedPlaces, watchOnce } from './outside-checks.ts';
import { readConfig } from '../../config.ts';
import type { State } from './service-states.ts';
import { isCurrent, keyOf, readReport, viewOf } from './outside-report.ts';

const at = new Date('2026-11-20T08:00:00Z');

/** A server of lines on a free port: what it says when someone comes, and to each text. */
async function lineServer(greeting: string, answer: (text: string) => string | null): Promise<Server> {
  const server = createServer(socket => {
    if (greeting !== '') socket.write(greeting);
    socket.on('error', () => undefined);
    socket.on('data', part => {
      const said = answer(String(part));
      if (said !== null) socket.end(said);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
const portOf = (server: Server | WebServer): number => (server.address() as AddressInfo).port;

/** A name server with an SOA of every zone: the question again, then one answer whose name points at it. */
async function nameServer(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.on('message', (asked, { port, address }) => {
    let end = 12;
    while (asked[end] !== 0) end += asked[end]! + 1;
    const question = asked.subarray(12, end + 5);
    const head = Buffer.from([asked[0]!, asked[1]!, 0x84, 0, 0, 1, 0, 1, 0, 0, 0, 0]);
    const data = Buffer.concat([Buffer.from([0xc0, 12, 0xc0, 12]), Buffer.alloc(20, 1)]);
    const record = Buffer.from([0xc0, 12, 0, 6, 0, 1, 0, 0, 0, 60, 0, data.length]);
    socket.send(Buffer.concat([head, question, record, data]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

describe('a watcher', () => {
  let [whois, rsync]: Server[] = [];
  let web: WebServer;
  let dns: Socket;
  let origin = '';
  const asked: string[] = [];
  beforeAll(async () => {
    whois = await lineServer('', text => {
      asked.push(text);
      return text.includes('198.18.0.0/19') ? 'inetnum:  198.18.0.0 - 198.18.31.255\n\n' : '%ERROR:101: no entries found\n';
    });
    rsync = await lineServer('@RSYNCD: 31.0 sha256\n', text =>
      text.includes('\nrepository\n') ? '@RSYNCD: OK\n' : "@ERROR: Unknown module 'none'\n",
    );
    dns = await nameServer();
    web = createWebServer((request, reply) => {
      if (request.url === '/') return reply.end('<!doctype html><html></html>');
      if (request.url === '/rdap/ip/198.18.0.0/19') return reply.end('{"objectClassName":"ip network"}');
      if (request.url === '/rrdp/notification.xml')
        return reply.end(
          `<notification version="1" session_id="x" serial="7"><snapshot uri="${origin}/rrdp/7.xml" hash="ab"/></notification>`,
        );
      if (request.url === '/rrdp/lost.xml')
        return reply.end(
          `<notification version="1" session_id="x" serial="7"><snapshot uri="${origin}/none.xml" hash="ab"/></notification>`,
        );
      if (request.url === '/rrdp/other.xml')
        return reply.end('<notification serial="7"><snapshot uri="http://elsewhere.example/7.xml"/></notification>');
      if (request.url === '/away') return reply.writeHead(302, { location: '/' }).end();
      reply.statusCode = request.url === '/rrdp/7.xml' ? 200 : 503;
      return reply.end();
    }).listen(0, '127.0.0.1');
    await once(web, 'listening');
    origin = `http://127.0.0.1:${portOf(web)}`;
  });
  afterAll(() => {
    for (const server of [whois, rsync, web]) server?.close();
    dns.close();
  });
  const places = (): WatchedPlaces => ({
    network: '198.18.0.0/19',
    portal: `${origin}/`,
    rdap: `${origin}/rdap`,
    whois: { host: '127.0.0.1', port: portOf(whois!) },
    dns: { server: `127.0.0.1:${dns.address().port}`, zone: '18.198.in-addr.arpa' },
    rrdp: `${origin}/rrdp/notification.xml`,
    rsync: `rsync://127.0.0.1:${portOf(rsync!)}/repository/`,
  });
  const notes = async (changed: Partial<WatchedPlaces>) =>
    Object.fromEntries(
      (await watchOnce({ ...places(), ...changed }, () => at)).checks.map(({ service, state, note }) => [
        service,
        `${state} ${note}`.trim(),
      ]),
    );

  test('finds that all answer, and asks whois as anyone does', async () => {
    const report = await watchOnce(places(), () => at);
    expect(report.checks.map(({ service, state, note }) => [service, state, note])).toEqual(
      outsideNames.map(name => [name, 'working', '']),
    );
    expect(asked).toEqual(['-r 198.18.0.0/19\r\n']);
    expect(readReport(JSON.stringify(report), at)).toEqual(report);
  });

  test('follows no redirect, and asks no server that an answer names', async () => {
    expect(await notes({ portal: `${origin}/away`, rrdp: `${origin}/rrdp/other.xml` })).toMatchObject({
      'outside-portal': 'down Status 302.',
      'outside-rrdp': 'down The notification file names no snapshot of this server.',
    });
  });

  test('says of each what is wrong with its answer', async () => {
    const free = await lineServer('', () => null);
    const closed = portOf(free);
    free.close();
    await once(free, 'close');
    expect(
      await notes({
        network: '203.0.113.0/24',
        portal: `${origin}/none`,
        dns: null,
        rrdp: `${origin}/rrdp/lost.xml`,
        rsync: `rsync://127.0.0.1:${portOf(rsync!)}/none/`,
      }),
    ).toEqual({
      'outside-portal': 'down Status 503.',
      'outside-whois': 'down The answer isn’t a network.',
      'outside-rdap': 'down Status 503.',
      'outside-rrdp': 'down The snapshot has status 503.',
      'outside-rsync': "down The server says: Unknown module 'none'",
    });
    expect(
      await notes({
        whois: { host: '127.0.0.1', port: closed },
        portal: `http://127.0.0.1:${closed}/`,
        rsync: `rsync://127.0.0.1:${portOf(whois!)}/repository`,
      }),
    ).toMatchObject({
      'outside-whois': 'down The connection is refused.',
      'outside-portal': 'down The connection is refused.',
      'outside-rsync': 'down The answer isn’t of an rsync server.',
      'outside-dns': 'working',
    });
  });
});

test.each([
  ['', null],
  ['{"version":2,"at":"2026-11-20T08:00:00.000Z","checks":[]}', null],
  ['{"version":1,"at":"2026-11-20T08:00:00.000Z","checks":[{"service":"whois","state":"working","milliseconds":1,"note":""}]}', null],
  ['{"version":1,"at":"2026-11-20T09:00:00.000Z","checks":[]}', null],
  ['{"version":1,"at":"2026-11-20T08:00:00.000Z","checks":[]}', { version: 1, at: '2026-11-20T08:00:00.000Z', checks: [] }],
])('%j is read as %j', (text, report) => expect(readReport(text, at)).toEqual(report));

test('a report is the state of things for five minutes', () => {
  const report = { version: 1 as const, at: at.toISOString(), checks: [] };
  expect([4, 6].map(minutes => isCurrent(report, new Date(at.getTime() + minutes * MINUTE_MS)))).toEqual([true, false]);
  expect(isCurrent(null, at)).toBe(false);
});

describe('what several watchers see', () => {
  const reportOf = (state: State, ageMs = 0, note = state === 'down' ? 'No answer.' : '', milliseconds = 40) => ({
    version: 1 as const,
    at: instantBefore(at, ageMs),
    checks: [{ service: 'outside-whois' as const, state, milliseconds, note }],
  });
  const places = ['Singapore', 'Frankfurt', 'Quito'];
  const seen = (...reports: (ReturnType<typeof reportOf> | null)[]) =>
    viewOf(
      reports.map((report, index) => ({ place: places[index]!, report })),
      at,
    );

  test.each([
    [['working', 'working', 'down'], 'working', 'Quito: No answer.'],
    [['working', 'down', 'down'], 'down', 'Frankfurt: No answer. Quito: No answer.'],
    [['working', 'down'], 'working', 'Frankfurt: No answer.'],
    [['late', 'down', 'working'], 'late', 'Frankfurt: No answer.'],
    [['down'], 'down', 'Singapore: No answer.'],
  ] as const)('of %j most say %s', (states, state, note) => {
    const { checks, isCurrent: someReports } = seen(...states.map(each => reportOf(each)));
    expect(checks).toMatchObject([{ service: 'outside-whois', state, note }]);
    expect(someReports).toBe(true);
  });

  test('a silent one neither makes a service down nor hides that it is, and is named', () => {
    const old = reportOf('working', 6 * MINUTE_MS);
    expect(seen(old, null, reportOf('down')).checks).toMatchObject([{ state: 'down', note: 'Quito: No answer.' }]);
    const view = seen(reportOf('down', 6 * MINUTE_MS), reportOf('working'), reportOf('working'));
    expect(view.checks).toMatchObject([{ state: 'working', note: '' }]);
    expect(view.places.map(({ place, isCurrent: reports }) => [place, reports])).toEqual([
      ['Singapore', false],
      ['Frankfurt', true],
      ['Quito', true],
    ]);
    expect(seen(old, null, null)).toMatchObject({ isCurrent: false, checks: [], seenAt: old.at });
    expect(seen(null)).toMatchObject({ isCurrent: false, checks: [], seenAt: null });
  });

  test('the answer takes as long as that of the middle watcher', () => {
    expect(
      seen(reportOf('working', 0, '', 900), reportOf('working', 0, '', 30), reportOf('working', 0, '', 60)).checks[0]!.milliseconds,
    ).toBe(60);
  });

  test.each([
    ['secret', 'Singapore', 'secret'],
    ['a=b==', 'Singapore', 'a=b=='],
    ['Singapore=one; Frankfurt=two=', 'Frankfurt', 'two='],
    ['Singapore=one; Frankfurt=two', 'Quito', ''],
    ['', 'Quito', ''],
  ])('of the keys %j that of %s is %j', (keys, place, key) => expect(keyOf(keys, place, places)).toBe(key));
  test('the key of the only watcher has no name', () => expect(keyOf('a=b', null, [null])).toBe('a=b'));

  test.each([
    ['', []],
    ['https://watch.example/watch.json', [{ place: null, url: 'https://watch.example/watch.json' }]],
    ['https://watch.example/?of=us/', [{ place: null, url: 'https://watch.example/?of=us' }]],
    [
      'New York = https://a.example/1; Quito=http://b.example/2;',
      [
        { place: 'New York', url: 'https://a.example/1' },
        { place: 'Quito', url: 'http://b.example/2' },
      ],
    ],
  ])('WATCH_URL %j names its watchers', (text, watchers) =>
    expect(readConfig({ NODE_ENV: 'test', WATCH_URL: text }).watchers).toEqual(watchers),
  );
  test.each([
    'watch.example',
    'https://a.example; https://b.example',
    'Quito=https://a.example; Quito=https://b.example',
    'Quito=ftp://a.example',
    Array.from({ length: 9 }, (_, place) => `P${place}=https://a.example`).join(';'),
  ])('WATCH_URL %j is refused', text =>
    expect(() => readConfig({ NODE_ENV: 'test', WATCH_URL: text })).toThrow(/The setting WATCH_URL .* must be an address/),
  );
});
