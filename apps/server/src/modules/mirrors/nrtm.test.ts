import { spawnSync } from 'node:child_process';
import fs from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { DAY_MS, MINUTE_MS } from '@portal/contract/days';
import { parseObject, type RpslObject } from '@portal/rpsl';
import Fastify, { type FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migratedDatabase, type TestCopy } from '../../../test/database/migrated-database.ts';
import { Nrtm4Mirror, verifiedNotification } from '../../../test/processes/nrtm4-mirror.ts';
import { readConfig } from '../../config.ts';
import { type Database, FolderInUse, lockFolder } from '../../platform/database/index.ts';
import { createLog } from '../../platform/log.ts';
import { openSecretBox } from '../../platform/secret-box.ts';
import { readProfile } from '../../profile.ts';
import { openPort43 } from '../whois/query/port-43.ts';
import { lockWhois } from '../whois/store/lock.ts';
import { storeObjects } from '../whois/store/store.ts';
import { findObjects } from '../whois/store/stored-objects.ts';
import { identityOf } from '../whois/store/syntax.ts';
import { nrtmFiles } from './nrtm-files.ts';
import { rotateNrtmKey } from './nrtm-keys.ts';
import { answerNrtm3 } from './nrtm3.ts';
import { notificationName, publishNrtm } from './nrtm4.ts';

const profile = readProfile('');
const box = openSecretBox(readConfig({ NODE_ENV: 'test' }));
const route = (prefix: string, source = 'EXAMPLE'): string =>
  `route:          ${prefix}\ndescr:          A route\norigin:         AS64500\nmnt-by:         MAINT-A-EX\nsource:         ${source}\n`;
const person = (name: string): string =>
  `person:         ${name} Person\naddress:        1 Street\ncountry:        AU\nphone:          +61 7 5555 0100\ne-mail:         a@holder.example\nnic-hdl:        AP1-EX\nmnt-by:         MAINT-A-EX\nsource:         EXAMPLE\n`;

describe('Mirrors', () => {
  let copy: TestCopy;
  let db: Database;
  let folder: string;
  let http: FastifyInstance;
  let now = new Date('2026-03-01T12:00:00Z');
  const read = async (name: string) => {
    const { statusCode, rawPayload, headers } = await http.inject(`/nrtm4/EXAMPLE/${name}`);
    return { status: statusCode, body: rawPayload, cacheControl: headers['cache-control'] ?? null };
  };
  let mirror: Nrtm4Mirror;
  beforeAll(async () => {
    copy = await migratedDatabase('embedded');
    db = copy.database;
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'nrtm-'));
    http = Fastify();
    nrtmFiles(http, { db, folder, profile });
    await write(route('203.0.113.0/24'), route('198.51.100.0/24'), person('Anna'), route('192.0.2.0/24', 'OTHER'));
    await publish();
    mirror = new Nrtm4Mirror(read, (await http.inject('/nrtm4/EXAMPLE/public-key.pem')).body);
  });
  afterAll(async () => {
    await copy[Symbol.asyncDispose]();
    await fs.rm(folder, { recursive: true, force: true });
  });
  const line = { action: 'test.write', summary: 'Wrote objects', traceId: 'e'.repeat(32) };
  const objectOf = (text: string): RpslObject => parseObject(text).object!;
  const store = (operation: 'write' | 'delete', texts: readonly string[]) =>
    db.change(line, async change => {
      await lockWhois(change);
      const named = texts.map(text => ({ object: objectOf(text), ...identityOf(objectOf(text))! }));
      const stored = new Map((await findObjects(change, named)).map(row => [`${row.class} ${row.key}`, row]));
      await storeObjects(
        change,
        named.map(one => {
          const row = stored.get(`${one.class} ${one.key}`) ?? null;
          return { operation: operation === 'delete' ? 'delete' : row ? 'modify' : 'create', ...one, stored: row };
        }),
        profile,
      );
    });
  const write = (...texts: string[]) => store('write', texts);
  const remove = (...texts: string[]) => store('delete', texts);
  const publish = (given = profile) => publishNrtm(db, { folder, profile: given, box, now });
  const later = (minutes: number): void => {
    now = new Date(now.getTime() + minutes * MINUTE_MS);
  };
  const files = async (): Promise<string[]> =>
    (await fs.readdir(path.join(folder, 'EXAMPLE'), { recursive: true })).filter(name => name.endsWith('.gz'));

  test('begin with a signed snapshot, without persons and other sources', async () => {
    const notification = await mirror.read();
    expect(notification).toMatchObject({
      nrtm_version: 4,
      type: 'notification',
      source: 'EXAMPLE',
      version: 1,
      deltas: [],
      timestamp: '2026-03-01T12:00:00Z',
    });
    expect(notification.session_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([...mirror.objects.keys()].sort()).toEqual(['route 198.51.100.0/24as64500', 'route 203.0.113.0/24as64500']);
  });

  test('get no new notification when nothing changed', async () => {
    const before = await files();
    later(1);
    expect(await publish()).toEqual({ version: 1, serial: 4 });
    expect(await files()).toEqual(before);
    expect(await mirror.read()).toMatchObject({ version: 1, timestamp: '2026-03-01T12:00:00Z' });
  });

  test('follow by deltas, one for all changes of a minute, in their order', async () => {
    const fresh = route('203.0.113.128/25');
    await write(fresh);
    await remove(fresh);
    await write(fresh.replace('A route', 'Another'));
    await remove(route('198.51.100.0/24'));
    later(1);
    expect(await publish()).toMatchObject({ version: 2 });
    await mirror.read();
    expect(mirror.loads).toBe(1);
    expect([...mirror.objects.keys()].sort()).toEqual(['route 203.0.113.0/24as64500', 'route 203.0.113.128/25as64500']);
    expect(mirror.objects.get('route 203.0.113.128/25as64500')).toContain('descr:          Another\n');
  });

  test('get no delta for hidden changes', async () => {
    await write(person('Berta'));
    later(1);
    expect(await publish()).toMatchObject({ version: 2, serial: 9 });
    await mirror.read();
  });

  test('that return after a day start with a new snapshot, others continue, and old deltas are deleted', async () => {
    await write(route('203.0.113.0/26'));
    later(24 * 60 + 5);
    expect(await publish()).toMatchObject({ version: 3 });
    const notification = await mirror.read();
    expect([notification.snapshot.version, notification.deltas.map(({ version }) => version), mirror.loads]).toEqual([3, [3], 1]);
    const newcomer = new Nrtm4Mirror(read, mirror.key);
    await newcomer.read();
    expect(newcomer.objects).toEqual(mirror.objects);
    // A file that is no longer named stays some minutes for running downloads, and is then deleted.
    expect(await files()).toHaveLength(4);
    later(15);
    await publish();
    expect(await files()).toHaveLength(2);
  });

  test('get a notification at least once a day, with or without changes', async () => {
    const before = (await mirror.read()).timestamp;
    later(13 * 60);
    await publish();
    expect((await mirror.read()).timestamp > before).toBe(true);
  });

  test('follow a new key that was announced for a week, and none before', async () => {
    const old = mirror.key;
    expect(await rotateNrtmKey(db, box, { now, atOnce: false })).toMatchObject({ step: 'announced' });
    await publish();
    await mirror.read();
    expect(mirror.next).toMatch(/^-----BEGIN PUBLIC KEY-----/);
    expect(await rotateNrtmKey(db, box, { now: new Date(), atOnce: false })).toMatchObject({ step: 'waiting' });
    const week = new Date(Date.now() + 7 * DAY_MS + 1000);
    expect(await rotateNrtmKey(db, box, { now: week, atOnce: false })).toMatchObject({ step: 'replaced' });
    await publish();
    const notification = await mirror.read();
    expect(notification.next_signing_key).toBeUndefined();
    expect(mirror.key).not.toBe(old);
    expect((await http.inject('/nrtm4/EXAMPLE/public-key.pem')).body).toBe(mirror.key);
    expect(await verifiedNotification((await http.inject(`/nrtm4/EXAMPLE/${notificationName}`)).body, old)).toBeNull();
  });

  test('reload when files were lost, the rule about persons changed, or the database was restored', async () => {
    const [lost] = await files();
    await fs.rm(path.join(folder, 'EXAMPLE', lost!));
    await publish();
    await mirror.read();
    expect(mirror.loads).toBe(2);
    await publish({ ...profile, dumpPersonalData: 'dummy' });
    await mirror.read();
    expect([mirror.loads, mirror.objects.get('person ap1-ex')?.includes('Name Removed')]).toEqual([3, true]);
    await publish();
    await mirror.read();
    expect(mirror.loads).toBe(4);
  });

  test('can’t fetch anything else from the folder', async () => {
    for (const path of [
      '..%2fEXAMPLE.lock',
      '..%2f..%2fetc%2fpasswd',
      'x/nrtm-snapshot.1.json.gz',
      '',
      `${mirror.session}/nrtm-delta.9.${'0'.repeat(40)}.json.gz`,
    ])
      expect((await http.inject(`/nrtm4/EXAMPLE/${path}`)).statusCode, path).not.toBe(200);
    const etag = (await http.inject(`/nrtm4/EXAMPLE/${notificationName}`)).headers.etag!;
    expect((await http.inject({ url: `/nrtm4/EXAMPLE/${notificationName}`, headers: { 'if-none-match': etag } })).statusCode).toBe(304);
  });

  test('are refused when another process publishes; the lock of a dead process blocks nothing', async () => {
    const unlock = lockFolder(path.join(folder, 'EXAMPLE'));
    await expect(publish()).rejects.toThrow(FolderInUse);
    unlock();
    const { pid } = spawnSync(process.execPath, ['--version']);
    await fs.writeFile(path.join(folder, 'EXAMPLE.lock'), JSON.stringify({ pid, startedAt: 'once' }));
    expect(await publish()).toMatchObject({ version: expect.any(Number) });
  });

  describe('read version 3', () => {
    const ask = async (query: string): Promise<string> => {
      let answer = '';
      for await (const piece of answerNrtm3(db.read, query, profile)) answer += piece;
      return answer;
    };
    test('are given changes by serial, without persons', async () => {
      const answer = await ask('example:3:1-LAST');
      expect(answer.startsWith('%START Version: 3 EXAMPLE 1-10\n\nADD 1\n\nroute:          203.0.113.0/24\n')).toBe(true);
      expect(answer.endsWith('%END EXAMPLE\n')).toBe(true);
      expect([...answer.matchAll(/^(ADD|DEL) (\d+)$/gm)].map(([, operation, serial]) => `${operation} ${serial}`)).toEqual([
        'ADD 1',
        'ADD 2',
        'ADD 4',
        'ADD 5',
        'DEL 6',
        'ADD 7',
        'DEL 8',
        'ADD 10',
      ]);
      expect(answer).not.toContain('Person');
      expect(answer).toMatch(/DEL 8\n\nroute: {10}198.51.100.0\/24\n/);
    });
    test.each([
      ['EXAMPLE:3:5-11', '%ERROR:401: invalid range: Not within 1-10\n'],
      ['EXAMPLE:3:9-3', '%ERROR:401: invalid range: Not within 1-10\n'],
      ['RIPE:3:1-2', '%ERROR:403: unknown source RIPE\n'],
      ['EXAMPLE:2:1-2', /^%ERROR:406: /],
      ['EXAMPLE', /^%ERROR:405: /],
      ['EXAMPLE:3:1-2; drop', /^%ERROR:405: /],
    ])('%s is refused', async (query, answer) => {
      expect(await ask(query)).toMatch(answer);
    });
    test('are never told that changes are complete whose last ones are missing', async () => {
      let asked = 0;
      // As another server that is further behind: it has the first changes only.
      const elsewhere = {
        rows: <Row>(query: Parameters<typeof db.read.rows<Row>>[0]) => (asked++ < 1 ? db.read.rows(query) : Promise.resolve([])),
      };
      const pieces: string[] = [];
      const read = async (): Promise<void> => {
        for await (const piece of answerNrtm3(elsewhere, 'EXAMPLE:3:1-LAST', profile)) pieces.push(piece);
      };
      await expect(read()).rejects.toThrow('The whois journal ends before serial 1, and changes up to 10 were asked for.');
      expect(pieces.join('')).not.toContain('%END');
    });
    test('are answered on port 43, one answer a connection', async () => {
      const port43 = await openPort43({
        db,
        dbForQuestion: () => db,
        host: '127.0.0.1',
        port: 0,
        registry: profile,
        release: 'test',
        trustedProxies: [],
        memoryMegabytes: 0,
        mirror: asked => answerNrtm3(db.read, asked, profile),
        log: createLog('silent'),
      });
      try {
        const socket = net.connect(port43.port, '127.0.0.1').setEncoding('utf8');
        socket.write('-g EXAMPLE:3:1-2\r\n');
        expect(await text(socket)).toBe(await ask('EXAMPLE:3:1-2'));
        for (const query of [
          '-k -g EXAMPLE:3:1-LAST',
          '-kg EXAMPLE:3:1-LAST',
          '-g EXAMPLE:3:1-LAST -k',
          '--persistent-connection -g EXAMPLE:3:1-LAST',
        ]) {
          const kept = net.connect(port43.port, '127.0.0.1').setEncoding('utf8');
          kept.write(`${query}\r\n`);
          expect(await text(kept), query).toMatch(
            /%ERROR:111: .*\n%\n% -g with -k, .* is not offered\. Ask with -g .* LAST now and then,\n% or mirror with NRTM version 4/,
          );
        }
      } finally {
        await port43.close();
      }
    });
    test('too old ones are no longer available', async () => {
      await db.change(line, async change => {
        await sql`update whois_journal set happened_at = now() - interval '15 days' where serial < 5`.execute(change);
      });
      expect(await ask('EXAMPLE:3:4-LAST')).toBe('%ERROR:401: invalid range: Not within 5-10\n');
    });
  });
});
