import fs from 'node:fs/promises';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { entryOf, mirroringRegistry, type MirroringRegistry, publishingRegistry } from '../../../test/mirrored-registry.ts';
import { kinds, kindsForRules } from '../../../test/portal.ts';
import { exampleObjects } from '../../../test/whois-server.ts';
import { sourceStates } from './copies.ts';

const began = new Date('2026-03-01T12:00:00Z');
const after = (minutes: number): Date => new Date(began.getTime() + minutes * MINUTE_MS);
const route = (prefix: string, source = 'EXAMPLE', descr = 'A route'): string =>
  `route:          ${prefix}\ndescr:          ${descr}\norigin:         AS64502\nmnt-by:         MAINT-PIA-EX\nsource:         ${source}\n`;

/** The keys of everything that a registry shows of its sources. */
const keysIn = async ({ db }: MirroringRegistry): Promise<string[]> =>
  (
    await db.read.rows<{ key: string }>(
      sql`select o.class || ' ' || o.key as key from foreign_source join foreign_object o using (copy_id) order by o.class, o.key`,
    )
  ).map(({ key }) => key);
const stateOf = async ({ db }: MirroringRegistry) => (await sourceStates(db.read))[0]!;

describe.each(kinds)('a registry mirrors another on %s', kind => {
  test.each(['nrtm4', 'nrtm3', 'dump'] as const)('by %s: whole, then its changes', async way => {
    await using other = await publishingRegistry(exampleObjects, began);
    await using mirror = await mirroringRegistry([entryOf(other, way)], { kind });
    await mirror.load(began);
    const first = await keysIn(mirror);
    expect(first).toContain('route 198.18.4.0/22as64501');
    expect(first).toContain('as-set as-outer');
    expect(first).toContain('inet-rtr r1.holder.example');
    expect(first.filter(key => /^(?:person|role|irt|organisation|inet6?num|domain|as-block) /.test(key))).toEqual([]);
    expect(await stateOf(mirror)).toMatchObject({ way, problem: null, loadDue: false, objects: first.length });
    const [text] = await mirror.db.read.rows<{ all: string }>(sql`select string_agg(text, '') as all from foreign_object`);
    expect(text!.all).not.toMatch(/@|auth|PP1-EX|AD1-EX|admin-c|remarks/i);

    await other.write(`${route('203.0.113.0/24')}\n${route('203.0.113.128/25')}`);
    await other.remove(route('198.18.4.0/22').replace('64502', '64501'));
    await other.publish(after(1));
    await other.write(route('203.0.113.0/24', 'EXAMPLE', 'Another description'));
    await other.remove(route('203.0.113.128/25'));
    await other.publish(after(90));
    await mirror.follow(after(90));
    await mirror.load(after(90));
    const expected = [...first.filter(key => key !== 'route 198.18.4.0/22as64501'), 'route 203.0.113.0/24as64502'].toSorted();
    expect((await keysIn(mirror)).toSorted()).toEqual(expected);
    expect(await mirror.whois.query('-s EXAMPLE 203.0.113.0/24')).toContain('Another description');
    expect(await stateOf(mirror)).toMatchObject({ problem: null, objects: expected.length });
    // Nothing new, and nothing is done.
    const before = await stateOf(mirror);
    await mirror.follow(after(100));
    expect(await stateOf(mirror)).toMatchObject({ serial: before.serial, copyId: before.copyId, objects: before.objects, problem: null });
  });
});

describe.each(kindsForRules)('what is mirrored on %s', kind => {
  test('is seen by nothing that is about the registry’s own objects', async () => {
    await using other = await publishingRegistry(exampleObjects, began);
    await using mirror = await mirroringRegistry([entryOf(other, 'dump')], { kind, objects: route('192.0.2.0/24', 'MIRROR') });
    await mirror.load(began);
    expect((await keysIn(mirror)).length).toBeGreaterThan(5);
    for (const table of ['whois_object', 'whois_journal'])
      expect(await mirror.db.read.rows(sql`select count(*)::int as count from ${sql.table(table)}`)).toEqual([{ count: 1 }]);
    expect(await mirror.whois.send('-g MIRROR:3:1-LAST\n')).not.toContain('198.18');
    expect(await mirror.whois.query('198.18.4.0/22')).toContain('%ERROR:101: no entries found');
    expect(await mirror.whois.send('!gAS64500\n')).toBe('D\n');
  });

  test('is forgotten when the operator no longer names it', async () => {
    await using other = await publishingRegistry(exampleObjects, began);
    await using mirror = await mirroringRegistry([entryOf(other, 'dump')], { kind });
    await mirror.load(began);
    await sql`update foreign_source set name = 'FORMER'`.execute(mirror.db.unrecorded);
    await sql`update foreign_copy set source = 'FORMER'`.execute(mirror.db.unrecorded);
    await mirror.load(after(1));
    expect((await sourceStates(mirror.db.read)).map(({ name }) => name)).toEqual(['EXAMPLE']);
    await mirror.load(after(20));
    expect(await mirror.db.read.rows(sql`select count(*)::int as count from foreign_copy`)).toEqual([{ count: 1 }]);
  });
});

/** A server of one file, whose answer a test chooses. */
async function fileServer(answer: (response: http.ServerResponse, url: string) => void): Promise<{ address: string } & AsyncDisposable> {
  const server = http.createServer((request, response) => answer(response, request.url!));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** A whois server that answers each question with the same text. */
async function lineServer(answer: () => string): Promise<{ port: number; asked: string[] } & AsyncDisposable> {
  const asked: string[] = [];
  const server = net.createServer(socket => {
    socket.on('error', () => {});
    socket.once('data', line => {
      asked.push(line.toString().trim());
      socket.end(answer());
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    [Symbol.asyncDispose]: () => new Promise<void>(resolve => server.close(() => resolve())),
  };
}

describe.each(kindsForRules)('the last copy stays whole on %s', kind => {
  const good = gzipSync(`${route('192.0.2.0/24', 'OTHER')}\n${route('198.51.100.0/24', 'OTHER')}`);
  const kept = ['route 192.0.2.0/24as64502', 'route 198.51.100.0/24as64502'];

  test.each<[string, (response: http.ServerResponse) => void, string]>([
    ['a file that is cut off', response => response.end(good.subarray(0, good.length - 20)), 'ends in the middle'],
    ['a file with an object without end', response => response.end(`descr: ${'x'.repeat(1_100_000)}\n`), 'more than 1000000 characters'],
    ['a file of another registry', response => response.end(route('192.0.2.0/24', 'ELSE')), 'There is no object of OTHER'],
    [
      'a source that dies in the middle',
      response => {
        response.writeHead(200, { 'content-length': '100000' });
        response.write(route('203.0.113.0/24', 'OTHER'), () => response.destroy());
      },
      'can’t be read',
    ],
    ['a file that isn’t there', response => response.writeHead(404).end(), 'answers 404'],
    ['a redirect', response => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(), 'redirects are not followed'],
  ])('after %s', async (_, bad, problem) => {
    let isBad = false;
    await using server = await fileServer(response => (isBad ? bad(response) : void response.end(good)));
    await using mirror = await mirroringRegistry([{ name: 'OTHER', dump: [`${server.address}/other.db.gz`], hours: 1 }], { kind });
    await mirror.load(began);
    expect(await keysIn(mirror)).toEqual(kept);
    isBad = true;
    await mirror.load(after(61));
    expect(await keysIn(mirror)).toEqual(kept);
    expect(await stateOf(mirror)).toMatchObject({ failures: 1, problem: expect.stringContaining(problem) as string });
    // It is asked again after a pause, and what is left of the failure is taken away.
    isBad = false;
    await mirror.load(after(61.5));
    expect(await stateOf(mirror)).toMatchObject({ failures: 1 });
    await mirror.load(after(63));
    expect(await stateOf(mirror)).toMatchObject({ failures: 0, problem: null });
    await mirror.load(after(80));
    expect(await mirror.db.read.rows(sql`select count(*)::int as count from foreign_object`)).toEqual([{ count: 2 }]);
  });

  const delta = (from: number, to: number, ...changes: string[]): string =>
    `%START Version: 3 OTHER ${from}-${to}\n\n${changes.join('\n')}\n%END OTHER\n`;
  test.each<[string, string, string | null]>([
    ['a gap of serials', delta(20, 21, `ADD 20\n\n${route('203.0.113.0/24', 'OTHER')}`), null],
    ['serials that have gone', '%ERROR:401: invalid range: Not within 500-900\n', null],
    ['serials that began again', '%ERROR:401: invalid range: Not within 1-3\n', null],
    [
      'serials out of order',
      delta(11, 13, `ADD 12\n\n${route('203.0.113.0/24', 'OTHER')}`, `ADD 11\n\n${route('203.0.113.0/24', 'OTHER')}`),
      'serial 11 after 12',
    ],
    [
      'an answer that ends in the middle',
      delta(11, 12, `ADD 11\n\n${route('203.0.113.0/24', 'OTHER')}`).replace('%END OTHER\n', ''),
      'ends in the middle',
    ],
    ['another source', '%START Version: 3 ELSE 11-12\n\n%END ELSE\n', 'The source answers %START'],
    ['a refusal', '%ERROR:402: not authorised to mirror the database\n', 'The source answers %ERROR:402'],
    ['a change without its serial', delta(11, 12, `ADD\n\n${route('203.0.113.0/24', 'OTHER')}`), 'without its serial'],
  ])('after NRTM 3 with %s', async (_, answer, problem) => {
    await using files = await fileServer((response, url) => void response.end(url.includes('SERIAL') ? '10\n' : good));
    await using whois = await lineServer(() => answer);
    await using mirror = await mirroringRegistry(
      [
        {
          name: 'OTHER',
          dump: [`${files.address}/other.db.gz`],
          serial: `${files.address}/OTHER.CURRENTSERIAL`,
          nrtm3: `127.0.0.1:${whois.port}`,
        },
      ],
      { kind },
    );
    await mirror.load(began);
    await mirror.follow(after(1));
    expect(whois.asked).toEqual(['-g OTHER:3:11-LAST']);
    expect(await keysIn(mirror)).toEqual(kept);
    const state = await stateOf(mirror);
    if (problem === null) expect(state).toMatchObject({ loadDue: true, serial: 10, problem: null });
    else expect(state).toMatchObject({ loadDue: false, serial: 10, problem: expect.stringContaining(problem) as string });
    // Changes that are missing come with the files.
    await mirror.load(after(2));
    expect(await stateOf(mirror)).toMatchObject({ loadDue: false });
  });

  test.each(['%ERROR:401: invalid range: Not within 1-10\n', '% Warning: there are no newer updates available\n'])(
    'where NRTM 3 has nothing new: %s',
    async answer => {
      await using files = await fileServer((response, url) => void response.end(url.includes('SERIAL') ? '10\n' : good));
      await using whois = await lineServer(() => answer);
      await using mirror = await mirroringRegistry(
        [
          {
            name: 'OTHER',
            dump: [`${files.address}/other.db.gz`],
            serial: `${files.address}/OTHER.CURRENTSERIAL`,
            nrtm3: `127.0.0.1:${whois.port}`,
          },
        ],
        { kind },
      );
      await mirror.load(began);
      await mirror.follow(after(1));
      expect(await stateOf(mirror)).toMatchObject({ loadDue: false, serial: 10, problem: null });
    },
  );

  test('after files of NRTM 4 with another hash, and a notification that another key signed', async () => {
    await using other = await publishingRegistry(exampleObjects, began);
    await using forger = await publishingRegistry(exampleObjects, began);
    await using mirror = await mirroringRegistry([entryOf(other, 'nrtm4')], { kind });
    await mirror.load(began);
    const before = await keysIn(mirror);
    const { serial } = await stateOf(mirror);

    await other.write(route('203.0.113.0/24'));
    await other.publish(after(1));
    const folder = path.join(other.folder, 'nrtm4/EXAMPLE');
    const name = (await fs.readdir(folder, { recursive: true })).find(each => each.includes('nrtm-delta'))!;
    const right = await fs.readFile(path.join(folder, name));
    await fs.writeFile(path.join(folder, name), gzipSync('\u001e{"nrtm_version":4}\n'));
    await mirror.follow(after(1));
    expect(await stateOf(mirror)).toMatchObject({ serial, problem: expect.stringContaining('has another hash') as string });
    expect(await keysIn(mirror)).toEqual(before);

    await fs.writeFile(path.join(folder, name), right);
    const notification = path.join(folder, 'update-notification-file.jose');
    const signed = await fs.readFile(notification, 'utf8');
    await fs.copyFile(path.join(forger.folder, 'nrtm4/EXAMPLE/update-notification-file.jose'), notification);
    await mirror.follow(after(5));
    expect(await stateOf(mirror)).toMatchObject({
      serial,
      problem: 'The update notification file isn’t signed by the key of this source.',
    });
    expect(await keysIn(mirror)).toEqual(before);

    await fs.writeFile(notification, signed);
    await mirror.follow(after(20));
    expect(await stateOf(mirror)).toMatchObject({ serial: serial + 1, problem: null });
    expect(await keysIn(mirror)).toEqual([...before, 'route 203.0.113.0/24as64502'].toSorted());
  });
});
