import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { api } from '@portal/contract/api';
import { parseObject, withValue } from '@portal/rpsl';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dumpWhois } from '../../src/modules/mirrors/dump.ts';
import { journalSlice } from '../../src/modules/mirrors/nrtm3.ts';
import { lockWhois } from '../../src/modules/whois/index.ts';
import { storeObjects } from '../../src/modules/whois/store/store.ts';
import { readProfile } from '../../src/profile.ts';
import { type TestPortal, testPortal } from '../portal.ts';
import { type WhoisServer, whoisServer } from '../whois-server.ts';

// An attribute that no list names, as one would be that is added tomorrow and about which no one has decided yet.
const secret = 'shoe-size-42';
const profile = readProfile('');
const account = 'EXAMPLE-AU';
let portal: TestPortal;
let whois: WhoisServer;
type Stored = { class: string; key: string; shown: string; text: string };
let changed: Stored[];

beforeAll(async () => {
  portal = await testPortal();
  // One object of each class that the demo registry has.
  const rows = await portal.db.read.rows<Stored & { objectId: number }>(
    sql`select distinct on (class) * from whois_object where class <> 'key-cert' order by class, object_id`,
  );
  await portal.db.change({ action: 'test.load', summary: 'Loaded objects', traceId: 'd'.repeat(32) }, async change => {
    await lockWhois(change);
    await storeObjects(
      change,
      rows.map(row => {
        const object = parseObject(row.text).object!;
        const [first, ...rest] = object.attributes;
        const made = { ...withValue(first!, secret), name: 'shoe-size', written: 'shoe-size' };
        return {
          operation: 'modify' as const,
          object: { ...object, attributes: [first!, made, ...rest] },
          stored: row as never,
          class: row.class,
          key: row.key,
          shown: row.shown,
        };
      }) as never,
      profile,
    );
  });
  changed = await portal.db.read.rows<Stored>(sql`select class, key, shown, text from whois_object where text like ${`%${secret}%`}`);
  whois = await whoisServer({ on: portal.db });
});
afterAll(async () => {
  await whois[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

test('a made-up attribute is stored in objects of many classes, and its maintainers read it', async () => {
  expect(changed.length).toBeGreaterThan(8);
  const own = changed.find(({ text }) => /mnt-by: +MAINT-AU-EXAMPLE/.test(text))!;
  const corin = await portal.as('corin');
  const { data } = await corin(api.whois.getObject, { account, query: { class: own.class as 'person', key: own.key } });
  expect(data!.text).toContain(secret);
});

test('whois and IRR answers leave it out, whole and in parts', async () => {
  for (const { class: name, key, shown } of changed) {
    const asked = shown.replace(/^(\S+?)(AS\d+)$/, '$1');
    for (const flags of ['', '-B ', '-r ', '-F ', '-K ', '--filtering ', '-G ', '--show-version 2 ', '--diff-versions 1:2 ']) {
      const answer = await whois.query(`${flags}-T ${name} ${asked}`);
      expect(answer, `${flags}${name} ${key}`).not.toMatch(/shoe-?size/i);
    }
    expect(await whois.send(`!m${name},${shown}\n`), shown).not.toMatch(/shoe-?size/i);
  }
});

test('dumps and mirrors leave it out, however they treat persons', async () => {
  const to = await fs.mkdtemp(path.join(os.tmpdir(), 'dump-'));
  try {
    for (const dumpPersonalData of ['omit', 'dummy', 'show'] as const) {
      const { objects } = await dumpWhois(portal.db.read, { to, profile: { ...profile, dumpPersonalData }, now: new Date() });
      expect(objects).toBeGreaterThan(changed.length);
      const file = gunzipSync(await fs.readFile(path.join(to, `${profile.source.toLowerCase()}.db.gz`))).toString();
      expect(file).not.toMatch(/shoe-?size/i);
      const [last] = await portal.db.read.rows<{ serial: number }>(sql`select max(serial)::int as serial from whois_journal`);
      for await (const lines of journalSlice(portal.db.read, { from: 1, to: last!.serial }, { dumpPersonalData }))
        for (const { text } of lines) expect(text).not.toMatch(/shoe-?size/i);
    }
  } finally {
    await fs.rm(to, { recursive: true, force: true });
  }
});

test('RDAP leaves it out', async () => {
  const paths = changed.flatMap(({ class: name, shown }) =>
    name === 'inetnum'
      ? [`ip/${shown.split(' ')[0]}`]
      : name === 'inet6num'
        ? [`ip/${shown}`]
        : name === 'aut-num'
          ? [`autnum/${shown.slice(2)}`]
          : name === 'domain'
            ? [`domain/${shown}`]
            : ['person', 'role', 'irt', 'mntner', 'organisation'].includes(name)
              ? [`entity/${shown}`]
              : [],
  );
  expect(paths.length).toBeGreaterThan(5);
  for (const each of paths) {
    const answer = await portal.request(`/rdap/${each}`);
    expect(answer.status, each).toBe(200);
    expect(await answer.text(), each).not.toMatch(/shoe-?size/i);
  }
});

test('another account does not read it, neither the object nor its versions', async () => {
  const olive = await portal.as('olive');
  const others = changed.filter(({ text }) => !/SG-OTHER/.test(text));
  expect(others.length).toBeGreaterThan(5);
  for (const { class: name, key } of others) {
    const query = { class: name as 'person', key };
    const found = await olive(api.whois.getObject, { account: 'OTHER-SG', query });
    expect(found.data!.text, key).not.toContain(secret);
    const version = await olive(api.whois.getVersion, { account: 'OTHER-SG', query: { ...query, version: found.data!.version } });
    expect(version.data!.text, key).not.toContain(secret);
  }
});

test('a refused update of another’s object doesn’t show it, in a dry run or as it is sent', async () => {
  const olive = await portal.as('olive');
  const others = changed.filter(({ text }) => !/SG-OTHER/.test(text));
  for (const { class: name, key, text } of others) {
    // Everything that anyone may read, with one line more.
    const guessed = `${text.replace(/^shoe-size:.*\n/m, '').trimEnd()}\nremarks: more\n`;
    for (const call of [api.whois.previewUpdates, api.whois.submitUpdates] as const) {
      const { data, ...answer } = await olive(call, { account: 'OTHER-SG', body: { updates: [{ text: guessed }] } });
      expect(JSON.stringify({ data, ...answer }), `${name} ${key}`).not.toContain(secret);
    }
  }
});
