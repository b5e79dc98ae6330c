/**
 * Runs in a network namespace of its own (`unshare -rn`): starts the name servers of a plan, lets our checks and Zonemaster check each zone, and writes what
 * they found. Arguments: the folder of the plan.
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openDnsClient } from '../../apps/server/src/adapters/dns/client.ts';
import { checkZone } from '../../apps/server/src/modules/reverse-dns/checks/zone-check.ts';
import { openResolver } from '../../apps/server/src/modules/reverse-dns/checks/resolver.ts';
import { addresses, addressesOf, labAddresses, type LabZone, relayAddress } from './dns-lab.ts';
import { openRelay, relayFaults, type RelayFault } from './dns-relay.ts';
import { zonemasterProfile } from './zonemaster-profile.ts';

const run = promisify(execFile);
export type ZoneResult = {
  zone: string;
  /** Failed checks, with their severity and words. */
  ours: { check: string; severity: string; detail: string }[];
  milliseconds: number;
  /** Messages of Zonemaster from NOTICE on; null where it was not asked. */
  zonemaster: { level: string; tag: string }[] | null;
};
type Plan = { zones: LabZone[]; commands: string[][]; zonemaster: boolean };

const folder = process.argv[2]!;
const plan = JSON.parse(readFileSync(path.join(folder, 'plan.json'), 'utf8')) as Plan;
execFileSync('ip', ['link', 'set', 'lo', 'up']);
for (const address of labAddresses())
  execFileSync('ip', [
    'addr',
    'add',
    `${address}/${address.includes(':') ? '128' : '32'}`,
    'dev',
    'lo',
    ...(address.includes(':') ? ['nodad'] : []),
  ]);
const servers = plan.commands.map(([program, ...parameters]) => spawn(program!, parameters, { stdio: ['ignore', 'ignore', 'inherit'] }));
await Promise.all((Object.keys(relayFaults) as RelayFault[]).map(fault => openRelay(fault, relayAddress(fault), addresses.first[0])));

const client = openDnsClient();
const ready = async (address: string, name: string): Promise<void> => {
  for (const until = Date.now() + 30_000; Date.now() < until; await pause(50)) {
    const { message } = await client.query(address, { name, type: 'SOA' }, { transport: 'udp', port: 53, timeoutMs: 300 });
    if (message && message.code === 0) return;
  }
  throw new Error(`${address} doesn’t answer for ${name}`);
};
const healthy = plan.zones[0]!.zone;
await Promise.all([ready(addresses.registry[0], '.'), ready(addresses.first[0], healthy), ready(addresses.second[0], healthy)]);

const resolver = openResolver(client, [addresses.resolver], 1_500);
const originsOf = (address: string): Promise<number[]> =>
  Promise.resolve([/^45\.10\.1\.|^2d00:1:/.test(address) ? 64_500 : address.startsWith('45.10.5.') ? 64_502 : 64_501]);
async function ours({ zone, servers: listed, ds, undelegated, missing }: LabZone) {
  const began = performance.now();
  const found = missing ? (await resolver.delegationOf(zone)) !== null : true;
  const { findings } = await checkZone(
    { zone, servers: missing ? [] : listed, ds, parent: undelegated ? null : { found, servers: listed }, isHeld: true },
    { client, resolver, port: 53, timeoutMs: 2_000, lab: false, now: new Date(), originsOf },
  );
  const milliseconds = Math.round(performance.now() - began);
  return {
    milliseconds,
    ours: findings.filter(({ state }) => state === 'failed').map(({ check, severity, detail }) => ({ check, severity, detail })),
  };
}

const withAddresses = (host: string): string[] => {
  const found = addressesOf(host);
  return found.length === 0 ? [host] : found.map(address => `${host}/${address}`);
};
const profile = path.join(folder, 'zonemaster.json');
if (plan.zonemaster) writeFileSync(profile, zonemasterProfile());
/** The command line of zonemaster-cli for a zone. */
const zonemasterWords = ({ zone, servers: listed, ds, undelegated }: LabZone): string[] => {
  const given = undelegated
    ? [
        ...listed.flatMap(each => (each.includes(' ') ? [each.replace(' ', '/')] : withAddresses(each)).flatMap(given => ['--ns', given])),
        ...ds.flatMap(each => ['--ds', each.replaceAll(' ', ',')]),
      ]
    : [];
  const output = ['--json', '--no-progress', '--no-time', '--level', 'NOTICE'];
  return [...output, '--hints', path.join(folder, 'hints'), '--profile', profile, ...given, zone];
};

/** Returns the messages of Zonemaster about each zone. Many run at a time, because they wait for servers that stay silent. */
async function zonemaster(zones: readonly LabZone[]): Promise<NonNullable<ZoneResult['zonemaster']>[]> {
  const [commands, answers] = [path.join(folder, 'zonemaster-commands.json'), path.join(folder, 'zonemaster')];
  mkdirSync(answers);
  writeFileSync(commands, JSON.stringify(zones.map(zonemasterWords)));
  const program = path.join(import.meta.dirname, 'zonemaster.pl');
  await run('perl', [program, commands, String(2 * os.availableParallelism()), answers], { maxBuffer: 1e8 });
  return zones.map((_, place) =>
    (JSON.parse(readFileSync(path.join(answers, String(place)), 'utf8')) as { level: string; tag: string }[]).map(({ level, tag }) => ({
      level,
      tag,
    })),
  );
}

/** Does something with each zone, some at a time, in order. */
async function withEach<Result>(atOnce: number, work: (zone: LabZone) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = plan.zones.map((zone, place) => ({ zone, place }));
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) results[next.place] = await work(next.zone);
    }),
  );
  return results;
}
const own = await withEach(8, ours);
const other = plan.zonemaster ? await zonemaster(plan.zones) : null;
const results: ZoneResult[] = plan.zones.map(({ zone }, place) => ({ zone, ...own[place]!, zonemaster: other?.[place] ?? null }));
writeFileSync(path.join(folder, 'results.json'), JSON.stringify(results));
for (const server of servers) server.kill();
process.exit(0);
