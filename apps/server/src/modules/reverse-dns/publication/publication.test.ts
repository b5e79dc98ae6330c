import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { testPortal } from '../../../../test/portal.ts';
import { openDnsClient } from '../../../adapters/dns/client.ts';
import { readingFrom } from '../../../platform/module.ts';
import { lastRound } from '../../../platform/periodic-work.ts';
import { failAtWork } from '../../../platform/work-units.ts';
import { importFragment } from './fragments.ts';
import { notifyOfLeftOut } from './left-out.ts';
import { followFragments, openZoneBook, publishAllZones, publishZones } from './publication.ts';
import { zonePublisher, zoneRounds } from './publisher.ts';

const account = 'EXAMPLE-AU';
const has = (program: string): boolean => fs.existsSync(program);
const checkers = ['/usr/bin/named-checkzone', '/usr/bin/ldns-read-zone'].filter(has);
const nsd = '/usr/sbin/nsd';

test('zones are written with rising serials, and the receipt says since when a delegation is in them', async () => {
  await using portal = await testPortal();
  const made = await publishAllZones(portal.context);
  expect(made.map(({ parent }) => parent).toSorted()).toEqual(
    expect.arrayContaining(['18.198.in-addr.arpa', '198.in-addr.arpa', '0.2.ip6.arpa'].slice(0, 2)),
  );
  const folder = path.join(portal.config.filesDir, 'zones');
  const first = made.find(({ parent }) => parent === '18.198.in-addr.arpa')!;
  const file = () => readFile(path.join(folder, '18.198.in-addr.arpa.zone'), 'utf8');
  expect(await file()).toContain('2.18.198.in-addr.arpa. 86400 IN NS ns1.example.net.');
  expect(await publishAllZones(portal.context)).toEqual([]);

  const tess = await portal.as('tess');
  const { data: zone } = await tess(api.reverseDns.listZones, { account, query: { q: '2.18.198.in-addr.arpa' } });
  expect(zone!.rows[0]!.sinceSerial).toBe(first.serial);
  const { errors } = await tess(api.reverseDns.submitZones, {
    account,
    body: { zones: ['2.18.198.in-addr.arpa'], servers: ['ns5.example.net', 'ns2.example.net'] },
  });
  expect(errors).toBeUndefined();
  const receipt = async () =>
    (
      await tess(api.whoisPublication.getPublication, { account, query: { class: 'domain', key: '2.18.198.in-addr.arpa', version: 2 } })
    ).data!.places.find(({ place }) => place === 'dns');
  expect(await receipt()).toMatchObject({ state: 'waiting' });
  expect(await publishAllZones(portal.context)).toEqual([{ parent: '18.198.in-addr.arpa', serial: first.serial + 1 }]);
  expect(await file()).toContain('2.18.198.in-addr.arpa. 86400 IN NS ns5.example.net.');
  expect(await receipt()).toMatchObject({ state: 'elsewhere', answer: expect.stringContaining(`since serial ${first.serial + 1}`) });

  await tess(api.reverseDns.submitZones, { account, body: { zones: ['2.18.198.in-addr.arpa'], operation: 'remove' } });
  await publishAllZones(portal.context);
  expect(await file()).not.toContain('2.18.198.in-addr.arpa. 86400');
});

test('records of another registry are added to a zone, and a file with bad ones is refused completely', async () => {
  await using portal = await testPortal();
  const parent = '19.198.in-addr.arpa';
  const text = '7.19.198.in-addr.arpa. 3600 IN NS ns1.national.example.\n7.19.198.in-addr.arpa. NS ns2.national.example.\n';
  expect(await importFragment(portal.db, { source: 'natreg', parent, text })).toEqual({ records: 2, problem: null });
  await publishAllZones(portal.context);
  expect(await readFile(path.join(portal.config.filesDir, 'zones', `${parent}.zone`), 'utf8')).toContain(
    '7.19.198.in-addr.arpa. 86400 IN NS ns2.national.example.',
  );
  const problemOf = async (given: object) => (await importFragment(portal.db, { source: 'natreg', parent, text, ...given })).problem;
  expect(await problemOf({ text: 'example.com. NS a.example.' })).toMatch(/Line 1/);
  expect(await problemOf({ source: 'sister' })).toMatch(/natreg delegates some of these zones already/);
  const member = { parent: '18.198.in-addr.arpa', text: '2.18.198.in-addr.arpa. NS ns1.national.example.' };
  expect(await problemOf(member)).toMatch(/2\.18\.198\.in-addr\.arpa is delegated by a domain object/);
  // A running publisher picks up later imports.
  const book = await openZoneBook(portal.db.read, portal.context.profile);
  await publishZones(portal.context, book);
  expect(await problemOf({ text: text.replaceAll('7.19.', '8.19.') })).toBeNull();
  await followFragments(portal.db.read, book);
  expect(await publishZones(portal.context, book)).toMatchObject([{ parent }]);
});

test('a fragment that would break the zone, or hide a part of it, is refused with its line', async () => {
  await using portal = await testPortal();
  const parent = '18.198.in-addr.arpa';
  const problemOf = async (...lines: string[]) =>
    (await importFragment(portal.db, { source: 'natreg', parent, text: lines.map(line => line.replaceAll('@', parent)).join('\n') }))
      .problem;
  const good = '43.@. 3600 IN NS ns1.nir.example.';
  for (const [lines, problem] of [
    [['43.@. IN NS ns2.nir.example. extra words'], /^Line 1: /],
    [[good, '43.@. IN NS a..b.'], /^Line 2: /],
    [[good, 'ns.43.@. AAAA 1.2.3.4'], /^Line 2: 1\.2\.3\.4 isn’t an IPv6 address/],
    [[good, 'ns.43.@. A 999.1.1.1'], /^Line 2: /],
    [[good, 'ns.43.@. A 192.0.2.1 192.0.2.2'], /^Line 2: /],
    [[good, '43.@. DS 1 13 2 ABAB'], /^Line 2: /],
    [['43.@. SOMETHING NS ns2.nir.example.'], /^Line 1: “SOMETHING” is neither a TTL nor a class/],
    [['43.@. CH NS ns2.nir.example.'], /^Line 1: “CH” is neither a TTL nor a class/],
    [['43.@. 1 2 IN NS ns2.nir.example.'], /^Line 1: /],
    [['44.@. NS ns 1.nir.example.'], /^Line 1: /],
    // Records below another delegation would never be served.
    [
      [good, '1.43.@. NS ns1.nir.example.'],
      /^1\.43\.18\.198\.in-addr\.arpa is below 43\.18\.198\.in-addr\.arpa, which is delegated in the same file/,
    ],
    [
      ['1.2.@. NS ns1.nir.example.'],
      /^1\.2\.18\.198\.in-addr\.arpa is below 2\.18\.198\.in-addr\.arpa, which is delegated by a domain object/,
    ],
    // An address of no server in the file would be data of the parent zone.
    [[good, 'ns.44.@. A 192.0.2.1'], /^ns\.44\.18\.198\.in-addr\.arpa has an address and is not in a zone that the file delegates/],
  ] as const)
    expect(await problemOf(...lines), lines.join(' | ')).toMatch(problem);
  expect(await problemOf(good, 'ns1.43.@. A 192.0.2.1', '43.@. NS ns1.43.@.')).toBeNull();
  const sister = (text: string) => importFragment(portal.db, { source: 'sister', parent, text });
  expect((await sister(`1.43.${parent}. NS ns1.sister.example.`)).problem).toMatch(/below .*, which natreg delegates/);
  const file = path.join(portal.config.filesDir, 'zones', `${parent}.zone`);
  await publishAllZones(portal.context);
  for (const program of checkers)
    execFileSync(program, program.includes('ldns') ? ['-c', file] : ['-i', 'none', parent, file], { stdio: 'pipe' });
});

test.skipIf(checkers.length === 0)('named-checkzone and ldns accept every zone', async () => {
  await using portal = await testPortal();
  const made = await publishAllZones(portal.context);
  for (const { parent } of made) {
    const file = path.join(portal.config.filesDir, 'zones', `${parent}.zone`);
    for (const program of checkers)
      execFileSync(program, program.includes('ldns') ? ['-c', file] : ['-i', 'none', parent, file], { stdio: 'pipe' });
  }
});

test.skipIf(!has(nsd))('NSD reads the zones with the configuration made for it, and the receipt is asked from outside', async () => {
  const port = 4752;
  await using portal = await testPortal(undefined, { DNS_SERVERS: `127.0.0.1:${port}` });
  const made = await publishAllZones(portal.context);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'nsd-'));
  const zones = path.resolve(portal.config.filesDir, 'zones');
  await writeFile(
    path.join(folder, 'nsd.conf'),
    `server:\n  ip-address: 127.0.0.1\n  port: ${port}\n  username: ""\n  zonesdir: "${folder}"\n  database: ""\n  pidfile: "${folder}/nsd.pid"\n  xfrdfile: "${folder}/xfrd.state"\n  zonelistfile: "${folder}/zone.list"\n  server-count: 1\nremote-control:\n  control-enable: no\n${await readFile(path.join(zones, 'nsd.conf'), 'utf8')}`,
  );
  const server = spawn(nsd, ['-d', '-c', path.join(folder, 'nsd.conf')], { stdio: 'ignore' });
  try {
    const client = openDnsClient();
    await expect
      .poll(
        async () =>
          (await client.query('127.0.0.1', { name: '18.198.in-addr.arpa', type: 'SOA' }, { transport: 'udp', port, timeoutMs: 300 }))
            .message?.authoritative,
        { timeout: 10_000 },
      )
      .toBe(true);
    const tess = await portal.as('tess');
    const { data } = await tess(api.whoisPublication.getPublication, {
      account,
      query: { class: 'domain', key: '2.18.198.in-addr.arpa', version: 1 },
    });
    const serial = made.find(({ parent }) => parent === '18.198.in-addr.arpa')!.serial;
    expect(data!.places.find(({ place }) => place === 'dns')).toMatchObject({
      state: 'done',
      answer: `In zone 18.198.in-addr.arpa since serial ${serial}, serial ${serial} answers`,
    });
  } finally {
    server.kill();
  }
});

test('a delegation that would break the zone is left out, reported to its contacts and the desk, and published once it is right', async () => {
  await using portal = await testPortal();
  const zone = '2.18.198.in-addr.arpa';
  const file = () => readFile(path.join(portal.config.filesDir, 'zones', '18.198.in-addr.arpa.zone'), 'utf8');
  // Stored before today's rules, as imports still do.
  await portal.db.change({ action: 'test', summary: 'Stored an old object', traceId: '0'.repeat(32) }, change =>
    change.rows(
      sql`update whois_object set text = replace(text, 'ns1.example.net', 'ns_1.example.net') where class = 'domain' and key = ${zone}`,
    ),
  );
  await publishAllZones(portal.context);
  expect(await file()).not.toContain('ns_1');
  expect(await file()).toContain(`${zone}. 86400 IN NS ns2.example.net.`);
  const stella = await portal.as('stella');
  const { data } = await stella(api.reverseDnsLeftOut.listLeftOut, {});
  expect(data!.rows).toMatchObject([{ zone, accountName: account, whole: false, reasons: [expect.stringContaining('underscore')] }]);
  await notifyOfLeftOut(portal.context);
  await notifyOfLeftOut(portal.context);
  const mails = await portal.db.read.rows(sql`select subject from mail where subject = ${`${zone} is only partly published`}`);
  expect(mails.length).toBeGreaterThan(0);

  const tess = await portal.as('tess');
  const { errors } = await tess(api.reverseDns.submitZones, {
    account,
    body: { zones: [zone], servers: ['ns5.example.net', 'ns2.example.net'] },
  });
  expect(errors).toBeUndefined();
  await publishAllZones(portal.context);
  expect(await file()).toContain(`${zone}. 86400 IN NS ns5.example.net.`);
  expect((await stella(api.reverseDnsLeftOut.listLeftOut, {})).data!.rows).toEqual([]);
});

test('changed secondaries and reload command apply from the next start, without a zone change', async () => {
  await using portal = await testPortal();
  await publishAllZones(portal.context);
  const folder = path.join(portal.config.filesDir, 'zones');
  const reloaded = path.join(folder, 'reloaded');
  const read = (name: string) => readFile(path.join(folder, name), 'utf8');
  expect(await read('nsd.conf')).not.toContain('notify');
  const config = { ...portal.context.config, dnsSecondaries: ['45.10.4.1:53'], dnsReload: `touch ${reloaded}` };
  const context = { ...portal.context, config };
  const book = await openZoneBook(portal.db.read, context.profile);
  expect(await publishZones(context, book)).toEqual([]);
  expect(await read('nsd.conf')).toContain('notify: 45.10.4.1@53 NOKEY');
  expect(await read('named.conf')).toContain('also-notify { 45.10.4.1 port 53; }');
  expect(await read('knot.conf')).toContain('address: 45.10.4.1@53');
  expect(fs.existsSync(reloaded)).toBe(true);
  // Once per start, and then only for changes.
  fs.rmSync(reloaded);
  expect(await publishZones(context, book)).toEqual([]);
  expect(fs.existsSync(reloaded)).toBe(false);
});

test('a reload that failed is tried again by the next round, and until then the feed is late', async () => {
  await using portal = await testPortal();
  await publishAllZones(portal.context);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'reload-'));
  const program = path.join(folder, 'reload.sh');
  const calls = path.join(folder, 'calls');
  const isBroken = path.join(folder, 'broken');
  await writeFile(program, `#!/bin/sh\necho once >> ${calls}\n[ ! -e ${isBroken} ]\n`, { mode: 0o755 });
  const called = () => (fs.existsSync(calls) ? fs.readFileSync(calls, 'utf8').trim().split('\n').length : 0);
  const context = { ...portal.context, config: { ...portal.context.config, dnsReload: program } };
  const publisher = await zonePublisher.open(readingFrom('primary', context));
  try {
    const round = () => lastRound(portal.db.read, zoneRounds);
    await expect.poll(async () => (await round())?.succeededAt ?? null, { timeout: 10_000 }).not.toBeNull();
    expect(called()).toBe(1);
    await writeFile(isBroken, '');
    const tess = await portal.as('tess');
    const body = { zones: ['2.18.198.in-addr.arpa'], servers: ['ns5.example.net', 'ns2.example.net'] };
    expect((await tess(api.reverseDns.submitZones, { account, body })).errors).toBeUndefined();
    // The file is new, and the name server still answers from the old one.
    await expect.poll(called, { timeout: 10_000 }).toBeGreaterThan(2);
    expect(await readFile(path.join(portal.config.filesDir, 'zones', '18.198.in-addr.arpa.zone'), 'utf8')).toContain('ns5.example.net');
    expect((await round())!.failure).toContain('reload.sh');
    fs.rmSync(isBroken);
    await expect.poll(async () => (await round())!.failure, { timeout: 10_000 }).toBeNull();
  } finally {
    await publisher.close();
  }
  // Once, and then no more.
  const book = await openZoneBook(portal.db.read, portal.context.profile);
  await publishZones(context, book);
  const before = called();
  await publishZones(context, book);
  expect(called()).toBe(before);
});

test('an exception of a callback fails one round of the publisher, and the next one publishes', async () => {
  await using portal = await testPortal();
  const { db } = portal;
  // What the process does with an exception of a callback: the answer never comes.
  const asked = vi.spyOn(db.read, 'rows').mockImplementationOnce(() => {
    setImmediate(() => failAtWork(new Error('A callback broke')));
    return new Promise(() => {});
  });
  const publisher = await zonePublisher.open(readingFrom('primary', portal.context));
  try {
    await expect.poll(async () => (await lastRound(db.read, zoneRounds))?.succeededAt ?? null, { timeout: 10_000 }).not.toBeNull();
    expect(publisher.metrics!().join()).toContain('rdns_publication_failures_total 1');
  } finally {
    asked.mockRestore();
    await publisher.close();
  }
});

test('of a stored fragment whose name servers can’t be published, no DS and no address is left for a primary to refuse', async () => {
  await using portal = await testPortal();
  const parent = '18.198.in-addr.arpa';
  const digest = 'AB'.repeat(32);
  const lines = [
    `43.${parent}. 86400 IN NS ns_1.nir.example.`,
    `43.${parent}. 3600 IN DS 1 13 2 ${digest}`,
    `ns1.43.${parent}. 86400 IN A 192.0.2.1`,
    `44.${parent}. 86400 IN NS ns1.44.${parent}.`,
    `44.${parent}. 3600 IN DS 1 13 2 ${digest}`,
    `ns1.44.${parent}. 86400 IN A 192.0.2.1`,
  ];
  // Stored before such names were refused.
  await portal.db.change({ action: 'test', summary: 'Stored an old fragment', traceId: '0'.repeat(32) }, change =>
    change.rows(
      sql`insert into rdns_fragment (source, parent, text, imported_at) values ('natreg', ${parent}, ${lines.map(line => `${line}\n`).join('')}, ${change.now}::timestamptz)`,
    ),
  );
  await publishAllZones(portal.context);
  const folder = path.join(portal.config.filesDir, 'zones');
  const file = await readFile(path.join(folder, `${parent}.zone`), 'utf8');
  for (const [index, line] of lines.entries()) expect(file.includes(line), line).toBe(index > 2);
  const { data } = await (await portal.as('stella'))(api.reverseDnsLeftOut.listLeftOut, {});
  expect(data!.rows.map(({ zone, whole, reasons }) => ({ zone, whole, reasons }))).toEqual(
    expect.arrayContaining([
      {
        zone: `43.${parent}`,
        whole: true,
        reasons: [
          'ns_1.nir.example. has an underscore, which names of servers can’t have (RFC 1123)',
          `43.${parent} has no name server left, so its other records can’t be published`,
        ],
      },
      expect.objectContaining({ zone: `ns1.43.${parent}`, whole: true }),
    ]),
  );
  if (has('/usr/bin/named-checkconf')) execFileSync('/usr/bin/named-checkconf', ['-z', path.join(folder, 'named.conf')], { stdio: 'pipe' });
});

test('one zone that can’t be written doesn’t hold up others', async () => {
  await using portal = await testPortal();
  const profile = { ...portal.context.profile, reverseServers: ['ns1.18.198.in-addr.arpa', 'ns2.registry.example'] };
  await expect(publishAllZones({ ...portal.context, profile })).rejects.toThrow('18.198.in-addr.arpa can’t be published');
  const folder = path.join(portal.config.filesDir, 'zones');
  expect(fs.existsSync(path.join(folder, '19.198.in-addr.arpa.zone'))).toBe(true);
  expect(fs.existsSync(path.join(folder, '18.198.in-addr.arpa.zone'))).toBe(false);
});
