import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { formatObject, objectOf } from '@portal/rpsl';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testPortal } from '../../apps/server/test/portal.ts';
import { publishAllZones } from '../../apps/server/src/modules/reverse-dns/index.ts';
import { submit } from '../../apps/server/src/modules/whois/index.ts';
import { type DnsCase, dnsCases, type Verdict } from './dns-faults.ts';
import { configureServers, type LabZone, makeZone } from './dns-lab.ts';
import type { ZoneResult } from './dns-lab-run.ts';

const run = promisify(execFile);
const programs = ['/usr/sbin/nsd', '/usr/sbin/named', '/usr/bin/dnssec-signzone', '/usr/sbin/ip', '/usr/bin/unshare'];
const hasZonemaster = existsSync('/usr/bin/zonemaster-cli');
/** A machine may have the programs and forbid namespaces. */
const canRun = ((): boolean => {
  if (!programs.every(each => existsSync(each))) return false;
  try {
    execFileSync('/usr/bin/unshare', ['-rn', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
const activity = { action: 'test', summary: 'Delegated zones of a test', traceId: '0'.repeat(32) };

/**
 * The registry's zones as NSD serves them, and members' zones on NSD and BIND, some behind devices that spoil answers: each fault of the table is found and
 * named, and Zonemaster comes to the same verdict. In a network namespace with public addresses and port 53, so that nothing is allowed for a lab.
 */
describe.runIf(canRun)('checks of zones on real name servers', () => {
  let folder = '';
  let zones: LabZone[] = [];
  let resultsByZone = new Map<string, ZoneResult>();

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'portal-dns-'));
    await using portal = await testPortal();
    const free = dnsCases.map((each, place) => each.zone ?? `${place + 100}.19.198.in-addr.arpa`);
    const waiting = dnsCases.map((each, place) => ({ each, place }));
    const made: LabZone[] = [];
    await Promise.all(
      Array.from({ length: os.availableParallelism() }, async () => {
        for (let next = waiting.shift(); next; next = waiting.shift())
          made[next.place] = await makeZone(path.join(folder, 'members'), next.each, free[next.place]!);
      }),
    );
    zones = made;
    await portal.db.change(activity, async change => {
      const updates = zones
        .filter(({ undelegated, missing }) => !undelegated && !missing)
        .map(({ zone, servers, ds }) => ({
          operation: 'auto' as const,
          text: formatObject(
            objectOf([
              ['domain', zone],
              ['descr', 'A zone of a test'],
              ...['admin-c', 'tech-c', 'zone-c'].map((name): [string, string] => [name, 'ENO1-EX']),
              ...servers.map((server): [string, string] => ['nserver', server]),
              ...ds.map((each): [string, string] => ['ds-rdata', each]),
              ['mnt-by', 'MAINT-AU-EXAMPLE'],
              ['source', portal.context.profile.source],
            ]),
          ),
        }));
      const credentials = { maintainers: new Set<string>(), holder: null, mayWriteDomains: true, registry: true, who: 'A test' };
      const outcomes = await submit(change, updates, { credentials, mode: 'atomic', profile: portal.context.profile });
      const refused = outcomes
        .filter(({ state }) => state !== 'ok')
        .map(({ key, problems }) => `${key}: ${problems.map(({ message }) => message).join('; ')}`);
      if (refused.length > 0) throw new Error(refused.join('\n'));
    });
    const published = await publishAllZones(portal.context);
    const publisher = path.resolve(portal.config.filesDir, 'zones');
    const commands = configureServers(
      folder,
      publisher,
      published.map(({ parent }) => parent),
      zones,
    );
    writeFileSync(path.join(folder, 'plan.json'), JSON.stringify({ zones, commands, zonemaster: hasZonemaster }));
    const lab = ['--disable-warning=ExperimentalWarning', path.join(import.meta.dirname, 'dns-lab-run.ts'), folder];
    // Servers end with the namespace of processes, whatever happens.
    await run('/usr/bin/unshare', ['-rn', '--pid', '--fork', '--kill-child', process.execPath, ...lab], { maxBuffer: 1e8 });
    const results = JSON.parse(readFileSync(path.join(folder, 'results.json'), 'utf8')) as ZoneResult[];
    resultsByZone = new Map(results.map(each => [each.zone, each]));
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const foundOf = (given: DnsCase): ZoneResult => resultsByZone.get(zones[dnsCases.indexOf(given)]!.zone)!;
  const worst = (levels: readonly string[]): Verdict =>
    levels.some(each => /error|critical/i.test(each)) ? 'error' : levels.some(each => /warning/i.test(each)) ? 'warning' : 'fine';

  test.each(dnsCases.map(each => [each.title, each] as const))('%s', (_, given) => {
    const { ours } = foundOf(given);
    const names = ours.map(({ check }) => check);
    if (given.finds.length === 0) expect(ours.filter(({ check }) => check !== 'signedHasDs')).toEqual([]);
    else expect(names).toEqual(expect.arrayContaining(given.finds));
    expect(worst(ours.map(({ severity }) => severity)), JSON.stringify(ours)).toBe(given.verdict);
  });

  test.runIf(hasZonemaster)('Zonemaster comes to the same verdict, but where its reasons are named', () => {
    const differences = dnsCases.flatMap(given => {
      const { zonemaster } = foundOf(given);
      const wanted = given.zonemaster?.[0] ?? given.verdict;
      const its = worst(zonemaster!.map(({ level }) => level));
      return its === wanted
        ? []
        : [`${given.title}: ${its}, not ${wanted}: ${zonemaster!.map(({ level, tag }) => `${level} ${tag}`).join(', ')}`];
    });
    expect(differences).toEqual([]);
  });
});
