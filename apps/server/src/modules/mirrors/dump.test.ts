import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parseObject, splitParagraphs } from '@portal/rpsl';
import fastify from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migratedDatabase, type TestCopy } from '../../../test/database/migrated-database.ts';
import { kinds } from '../../../test/portal.ts';
import type { Database } from '../../platform/database/index.ts';
import { type Profile, readProfile } from '../../profile.ts';
import { dumpHourly, DumpRefused, dumpWhois } from './dump.ts';
import { dumpFiles } from './dump-files.ts';
import { loadWhois } from './load-dump.ts';
import { identityOf } from '../whois/store/syntax.ts';

const profile: Profile = readProfile('');
const now = new Date('2026-03-01T12:00:00Z');
const sample = `# A file of objects

person:         Pia Person
address:        1 Street # not here
                Town
phone:          +61 7 5555 0100
e-mail:         pia@holder.example
nic-hdl:        PP1-EX
mnt-by:         MAINT-PIA-EX
created:        2001-02-03T04:05:06Z
last-modified:  2010-11-12T13:14:15Z
source:         EXAMPLE

mntner: MAINT-PIA-EX
descr:    Kept by her
+
          in two lines
admin-c:  PP1-EX
upd-to:   pia@holder.example
auth:     MD5-PW $1$SaltSalt$aaaaaaaaaaaaaaaaaaaaaa # old secret
+
auth:     PGPKEY-12345678
mnt-by:   MAINT-PIA-EX
source:   EXAMPLE

role:           Abuse Desk
address:        1 Street
phone:          +61 7 5555 0102
e-mail:         desk@holder.example
abuse-mailbox:  abuse@holder.example
nic-hdl:        AD1-EX
mnt-by:         MAINT-PIA-EX
source:         EXAMPLE

inetnum:        198.19.160.0 - 198.19.160.255
netname:        OLD-NET
remarks:        Größe
country:        AU
admin-c:        PP1-EX
tech-c:         PP1-EX
status:         NOT-SET
mnt-by:         MAINT-PIA-EX
source:         EXAMPLE
`;

/** Objects of a file by class and key, each as names and values. */
function objectsOf(text: string): Map<string, string[]> {
  const objects = new Map<string, string[]>();
  for (const paragraph of splitParagraphs(text)) {
    const { object } = parseObject(paragraph.text);
    const identity = object && identityOf(object);
    if (!object || !identity) continue;
    objects.set(
      `${identity.class} ${identity.key}`,
      object.attributes.map(({ name, value }) => `${name}: ${name === 'auth' ? '' : value}`),
    );
  }
  return objects;
}

describe.each(kinds)('RPSL files on %s', kind => {
  let folder: string;
  let db: Database;
  let copy: TestCopy;
  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'rpsl-'));
    copy = await migratedDatabase(kind);
    db = copy.database;
  });
  afterAll(async () => {
    await copy[Symbol.asyncDispose]();
    await fs.rm(folder, { recursive: true, force: true });
  });
  const fileOf = async (name: string, text: string | Buffer): Promise<string> => {
    const file = path.join(folder, name);
    await fs.writeFile(file, text);
    return file;
  };
  const load = async (name: string, text: string | Buffer) => loadWhois(db, { from: await fileOf(name, text), profile });
  const dump = async (personal: typeof profile.dumpPersonalData) => {
    const to = path.join(folder, 'dump');
    const report = await dumpWhois(db.read, { to, profile: { ...profile, dumpPersonalData: personal }, now });
    const read = async (name: string): Promise<string> => gunzipSync(await fs.readFile(path.join(to, name))).toString();
    return { report, read, to, all: objectsOf(await read('example.db.gz')) };
  };

  test('are loaded unchanged, with their violations reported, and loading again changes nothing', async () => {
    const first = await load('sample.db.gz', gzipSync(sample));
    expect(first).toMatchObject({ objects: 4, created: 4, modified: 0, unchanged: 0, refused: 0, warned: 4 });
    expect(first.warnings).toMatchObject({ 'password-hash': 1, 'not-a-status': 1 });
    expect(first.warningNotes.map(({ line, object }) => `${line} ${object}`)).toContain('20 mntner MAINT-PIA-EX');
    const again = await load('sample.db', sample);
    expect(again).toMatchObject({ objects: 4, created: 0, modified: 0, unchanged: 4 });
    const [{ serial, made } = { serial: 0, made: '' }] = await db.read.rows<{ serial: number; made: string }>(sql`
      select (select max(serial) from whois_journal) as serial, created_at::text as made from whois_object where key = 'pp1-ex'`);
    expect(serial).toBe(4);
    expect(made).toContain('2001-02-03');
    // Only the kind of a password hash is kept.
    const kept = await db.read.rows<{ text: string }>(sql`select to_jsonb(t)::text as text from whois_object t
      union all select to_jsonb(t)::text from whois_journal t union all select to_jsonb(t)::text from row_change t`);
    expect(kept.some(({ text }) => text.includes('MD5-PW'))).toBe(true);
    expect(kept.filter(({ text }) => /SaltSalt|old secret|\$1\$/.test(text))).toEqual([]);
    // Handles of the file are never reused.
    expect(await db.read.rows(sql`select letters, last from handle_sequence where letters = 'pp'`)).toEqual([{ letters: 'pp', last: 1 }]);
  });

  test('make a new version of changed objects, twice if the file has two versions', async () => {
    const changed = (town: string) => sample.split('\n\n')[1]!.replace('Town', town);
    const report = await load('twice.db', `${changed('Village')}\n\n\n \n${changed('City')}\n`);
    expect(report).toMatchObject({ objects: 2, created: 0, modified: 2 });
    const [row] = await db.read.rows<{ version: number; text: string }>(sql`select version, text from whois_object where key = 'pp1-ex'`);
    expect(row).toMatchObject({ version: 3, text: expect.stringContaining('City') });
    expect(row!.text).toContain('last-modified:  2010-11-12T13:14:15Z');
  });

  test('lose no object because of another one that can’t be read', async () => {
    const noise =
      'just some words\n\nperson: No Handle\nsource: EXAMPLE\n\ninetnum: 1.2.3.4 - 1.2.3\nsource: EXAMPLE\n\nmntner: MAINT-\u0001X\nsource: EXAMPLE\n\n';
    const report = await load('noise.db', `${noise}${sample.split('\n\n')[3]!.replaceAll('AD1-EX', 'AD2-EX')}`);
    expect(report).toMatchObject({ objects: 5, created: 1, refused: 4 });
    expect(report.refusals.map(({ line }) => line)).toEqual([1, 3, 6, 9]);
  });

  test('are read as Latin-1 where they aren’t UTF-8', async () => {
    const report = await load(
      'latin1.db',
      Buffer.from(sample.split('\n\n')[4]!.replace('.160.0 - 198.19.160.255', '.161.0 - 198.19.161.255'), 'latin1'),
    );
    expect(report).toMatchObject({ created: 1, refused: 0 });
    const [row] = await db.read.rows<{ text: string }>(sql`select text from whois_object where key like '198.19.161.%'`);
    expect(row!.text).toContain('Größe');
  });

  test('that contain no objects change nothing', async () => {
    await expect(load('binary.db', Buffer.alloc(5_000_000, 65))).rejects.toThrow(/more than 4 MB without an empty line/);
    await expect(load('broken.db.gz', gzipSync(sample).subarray(0, 200))).rejects.toThrow();
    expect(await load('empty.db', '')).toMatchObject({ objects: 0, created: 0 });
  });

  test('written by us contain their last serial, but no secrets or persons', async () => {
    const { report, read, to, all } = await dump('omit');
    expect((await fs.readFile(path.join(to, 'EXAMPLE.CURRENTSERIAL'), 'utf8')).trim()).toBe(String(report.serial));
    const [{ serial } = { serial: 0 }] = await db.read.rows<{ serial: number }>(sql`select max(serial) as serial from whois_journal`);
    expect(report).toMatchObject({ serial, leftOut: 1, byClass: { inetnum: 2, mntner: 1, role: 2 } });
    expect((await fs.readdir(to)).sort()).toEqual([
      'EXAMPLE.CURRENTSERIAL',
      'SHA256SUMS',
      'example.db.gz',
      'example.db.inetnum.gz',
      'example.db.mntner.gz',
      'example.db.role.gz',
    ]);
    const maintainers = await read('example.db.mntner.gz');
    expect(maintainers).toMatch(/^# .*\n# Serial \d+, 2026-03-01T12:00:00Z\n# .*\n\nmntner: {9}MAINT-PIA-EX\n/);
    expect(maintainers).toContain('auth:           # Filtered\nauth:           # Filtered\n');
    expect(maintainers).not.toMatch(/SaltSalt|PGPKEY/);
    expect([...all.keys()].some(name => name.startsWith('person'))).toBe(false);
  });

  test('have dummies if the profile says so, and always abuse mailboxes', async () => {
    const { all } = await dump('dummy');
    expect(all.get('person pp1-ex')).toContain('person: Name Removed');
    expect(JSON.stringify([...all.values()])).not.toMatch(/Pia |pia@|desk@|5555/);
    expect(all.get('role ad1-ex')).toEqual(
      expect.arrayContaining(['abuse-mailbox: abuse@holder.example', 'e-mail: ***@holder.example', 'phone: +000000000']),
    );
  });

  test('are replaced atomically without remains of the old ones, and never in a foreign folder', async () => {
    const { to } = await dump('omit');
    const before = await fs.readlink(to);
    await dumpWhois(db.read, { to, profile, now });
    expect(await fs.readlink(to)).not.toBe(before);
    expect((await fs.readdir(folder)).filter(name => name.startsWith('dump'))).toHaveLength(2);
    const taken = path.join(folder, 'taken');
    await fs.mkdir(taken);
    await fs.writeFile(path.join(taken, 'mine.txt'), 'mine');
    await expect(dumpWhois(db.read, { to: taken, profile, now })).rejects.toBeInstanceOf(DumpRefused);
    expect(await fs.readdir(taken)).toEqual(['mine.txt']);
  });

  test('read, loaded and written again have the same objects', async () => {
    const { all, read } = await dump('show');
    const file = await read('example.db.gz');
    const again = await load('again.db', file.replaceAll(/^auth:.*\n/gm, ''));
    // The maintainer differs because its secrets aren't in the file; all others differ at most in spacing.
    expect(again).toMatchObject({ objects: 6, created: 0, refused: 0 });
    const { all: second } = await dump('show');
    for (const [name, lines] of all)
      expect(second.get(name)?.filter(line => !line.startsWith('auth'))).toEqual(lines.filter(line => !line.startsWith('auth')));
  });

  test('are written hourly after changes, and at least daily; they have checksums and are public', async () => {
    const daily = path.join(folder, 'daily');
    const turn = (at: string) => dumpHourly(db.read, { folder: daily, profile, now: new Date(at) });
    const first = await turn('2026-03-01T00:05:00Z');
    expect(first!.objects).toBeGreaterThan(0);
    expect(await turn('2026-03-01T00:55:00Z')).toBeNull();
    // Nothing changed since.
    expect(await turn('2026-03-01T01:05:00Z')).toBeNull();
    await fs.writeFile(path.join(daily, 'EXAMPLE', 'EXAMPLE.CURRENTSERIAL'), '0\n');
    expect(await turn('2026-03-01T01:15:00Z')).toMatchObject({ serial: first!.serial });
    expect(await turn('2026-03-01T01:55:00Z')).toBeNull();
    const second = await turn('2026-03-02T00:05:00Z');
    expect(second).toMatchObject({ serial: first!.serial, objects: first!.objects });
    // The files of yesterday are gone.
    expect((await fs.readdir(daily)).toSorted()).toEqual(['EXAMPLE', path.basename(second!.folder)]);

    const app = fastify();
    dumpFiles(app, { folder: daily, profile });
    const get = (name: string, headers = {}) => app.inject({ url: `/whois-dump/EXAMPLE/${name}`, headers });
    const serial = await get('EXAMPLE.CURRENTSERIAL');
    expect([serial.statusCode, serial.body]).toEqual([200, `${second!.serial}\n`]);
    const sums = await get('SHA256SUMS');
    const file = await get('example.db.gz');
    expect(sums.body).toContain(`${createHash('sha256').update(file.rawPayload).digest('hex')}  example.db.gz\n`);
    const people = await get('example.db.mntner.gz');
    expect(gunzipSync(people.rawPayload).toString()).toMatch(/^# .*mntner objects[^]*\nmntner: +MAINT-PIA-EX\n/);
    expect((await get('example.db.mntner.gz', { 'if-none-match': people.headers.etag as string })).statusCode).toBe(304);
    for (const name of ['', 'example.db.poem.gz', '../EXAMPLE.CURRENTSERIAL', '..%2f..%2fsample.db', 'example.db.%2e%2e/x.gz'])
      expect([name, (await get(name)).statusCode]).not.toEqual([name, 200]);
    await app.close();
  });
});
