import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { api } from '@portal/contract/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishAllZones, zonePublisher } from '../../apps/server/src/modules/reverse-dns/index.ts';
import { readingFrom } from '../../apps/server/src/platform/module.ts';
import { testPortal } from '../../apps/server/test/portal.ts';
import { delegationAt, startBind, startKnot, startNsd, type ZoneServer } from './zone-servers.ts';

const account = 'EXAMPLE-AU';
const zone = '2.18.198.in-addr.arpa';
const parent = '18.198.in-addr.arpa';
const before = ['ns1.example.net', 'ns2.example.net'];
const after = ['ns2.example.net', 'ns5.example.net'];
const programs = [
  { name: 'NSD', file: '/usr/sbin/nsd', configuration: 'nsd.conf', start: startNsd, port: 30_401 },
  { name: 'BIND', file: '/usr/sbin/named', configuration: 'named.conf', start: startBind, port: 30_402 },
  { name: 'Knot', file: '/usr/sbin/knotd', configuration: 'knot.conf', start: startKnot, port: 30_403 },
].filter(({ file }) => existsSync(file));
const secondary = { address: '127.0.0.1', port: 30_405 };

describe('name servers beside the publisher', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'portal-zones-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(programs)(
    '$name serves the zones with the configuration made for it, reads changes, and its secondary has them by NOTIFY',
    async ({ name, configuration, start, port }) => {
      const own = path.join(folder, name);
      const servers: ZoneServer[] = [];
      await using portal = await testPortal(undefined, {
        DNS_SERVERS: `${secondary.address}:${secondary.port}`,
        DNS_SECONDARIES: `${secondary.address}:${secondary.port}`,
      });
      await publishAllZones(portal.context);
      const files = path.resolve(portal.config.filesDir, 'zones');
      const primary = start({ folder: own, port, zones: readFileSync(path.join(files, configuration), 'utf8') });
      servers.push(primary);
      if (existsSync('/usr/sbin/named'))
        servers.push(
          startBind({
            folder: path.join(own, 'secondary'),
            port: secondary.port,
            zones: `zone "${parent}" { type secondary; primaries { 127.0.0.1 port ${port}; }; file "copy"; masterfile-format text; };\n`,
          }),
        );
      const publisher = await zonePublisher.open(
        readingFrom('primary', { ...portal.context, config: { ...portal.config, dnsReload: primary.reload } }),
      );
      try {
        for (const server of servers) await expect.poll(() => delegationAt(server, zone), { timeout: 30_000 }).toEqual(before);
        const tess = await portal.as('tess');
        const { errors } = await tess(api.reverseDns.submitZones, { account, body: { zones: [zone], servers: after } });
        expect(errors).toBeUndefined();
        for (const server of servers) await expect.poll(() => delegationAt(server, zone), { timeout: 30_000 }).toEqual(after);
        if (servers.length < 2) return;
        const { data } = await tess(api.whoisPublication.getPublication, { account, query: { class: 'domain', key: zone, version: 2 } });
        expect(data!.places.find(({ place }) => place === 'dns')).toMatchObject({
          state: 'done',
          answer: expect.stringMatching(/^In zone 18\.198\.in-addr\.arpa since serial (\d+), serial \1 answers$/) as string,
        });
      } finally {
        await publisher.close();
        for (const server of servers) await server.stop();
      }
    },
  );
});
