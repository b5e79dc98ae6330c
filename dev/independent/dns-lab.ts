import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { printReverseName, parseAddress } from '@portal/number-resources';
import type { DnsCase, Signing, Version } from './dns-faults.ts';
import { relayFaults, type RelayFault } from './dns-relay.ts';

const run = promisify(execFile);

/** Addresses of the lab, which exist in its network namespace only: public ones, so that nothing has to be allowed for a lab. */
export const addresses = {
  registry: ['45.10.3.1', '45.10.3.2'],
  resolver: '45.10.9.1',
  first: ['45.10.1.10', '2d00:1::10'],
  second: ['45.10.2.20', '2d00:2::20'],
  near: '45.10.1.11',
  unnamed: '45.10.2.21',
  misnamed: '45.10.2.22',
  open: '45.10.2.23',
  axfr: '45.10.2.24',
  root: '45.10.4.1',
  zoneAlias: '45.10.4.2',
  down: '45.10.4.3',
  relays: '45.10.5.',
} as const;
const relayNames = Object.keys(relayFaults) as RelayFault[];
export const relayAddress = (fault: RelayFault): string => `${addresses.relays}${relayNames.indexOf(fault) + 1}`;

const longNames = Array.from({ length: 12 }, (_, n) => `a-rather-long-name-of-a-name-server-${n}`);
/** Name servers of members, below example.net. */
const hosts: Readonly<Record<string, readonly string[]>> = {
  'ns-a': addresses.first,
  'ns-b': addresses.second,
  'ns-same': [addresses.first[0]],
  'ns-near': [addresses.near],
  'ns-unnamed': [addresses.unnamed],
  'ns-misnamed': [addresses.misnamed],
  'ns-open': [addresses.open],
  'ns-axfr': [addresses.axfr],
  'ns-root': [addresses.root],
  'ns-alias-of-zone': [addresses.zoneAlias],
  'ns-down': [addresses.down],
  'ns-private': ['10.0.0.53'],
  ...Object.fromEntries(relayNames.map(fault => [`ns-${fault}`, [relayAddress(fault)]])),
  ...Object.fromEntries(longNames.map((name, n) => [name, [n % 2 ? addresses.first[0] : addresses.second[0]]])),
};

/** Addresses of a name server of the lab, by its full name. */
export const addressesOf = (host: string): readonly string[] => hosts[host.replace(/\.example\.net$/, '')] ?? [];

/** A zone of the lab, ready for its servers and for the question to the checkers. */
export type LabZone = {
  title: string;
  zone: string;
  /** As domain objects write them. */
  servers: string[];
  ds: string[];
  undelegated: boolean;
  missing: boolean;
  /** Files of the two servers; null where a server doesn't have the zone. */
  files: [string | null, string | null];
};

const nameOf = (server: string, zone: string): string => (server.startsWith('inside') ? `ns.${zone}` : `${server}.example.net`);
const serverOf = (server: string, zone: string): string =>
  server === 'inside' ? `${nameOf(server, zone)} ${addresses.first[0]}` : nameOf(server, zone);

/** The text of a zone as one server has it. Names of samples are written out, so that the zone has no wildcard. */
function zoneText(zone: string, servers: readonly string[], { soa = {}, ns, more = '', empty }: NonNullable<Version>): string {
  const { serial = 2026112201, mname = 'ns-a.example.net.', rname = 'hostmaster.example.net.', timers = '14400 3600 1209600 3600' } = soa;
  const one = zone.endsWith('ip6.arpa') ? `1${'.0'.repeat(34 - zone.split('.').length - 1)}` : '1';
  return [
    `$ORIGIN ${zone}.\n$TTL 3600\n@ IN SOA ${mname} ${rname} ${serial} ${timers}\n`,
    ...(ns ?? servers).map(server => `@ IN NS ${nameOf(server, zone)}.\n`),
    ...(servers.some(server => server.startsWith('inside')) && more === '' ? [`ns IN A ${addresses.first[0]}\n`] : []),
    empty ? '' : `${one} IN PTR host.example.net.\n`,
    more,
  ].join('');
}

async function makeKey(folder: string, zone: string, algorithm: string, bits?: number): Promise<{ name: string; record: string }> {
  const { stdout } = await run('dnssec-keygen', [
    '-K',
    folder,
    '-a',
    algorithm,
    ...(bits ? ['-b', String(bits)] : []),
    '-f',
    'KSK',
    '-n',
    'ZONE',
    zone,
  ]);
  const name = stdout.trim();
  return { name, record: readFileSync(path.join(folder, `${name}.key`), 'utf8').replaceAll(/^;.*\n/gm, '') };
}

async function dsFrom(folder: string, key: string, digest: 1 | 2): Promise<string> {
  const { stdout } = await run('dnssec-dsfromkey', [`-${digest}`, path.join(folder, key)]);
  return stdout.trim().replace(/^.* DS /, '');
}

/** Signs versions of a zone with the same keys. Returns the file of each, and the DS records that lead to the keys. */
async function signZone(folder: string, zone: string, texts: readonly (string | null)[], signing: Signing) {
  const {
    algorithm = 'ECDSAP256SHA256',
    bits,
    nsec3,
    start = 'now-86400',
    end = 'now+1728000',
    idle,
    edit,
    digest = 2,
    strayCds,
  } = signing;
  const key = await makeKey(folder, zone, algorithm, bits);
  const other = idle ? await makeKey(folder, zone, idle.algorithm) : null;
  const own = idle?.ds === 'only' ? [] : [await dsFrom(folder, key.name, digest)];
  const ds = [...own, ...(other ? [await dsFrom(folder, other.name, digest)] : [])];
  const keys = `${key.record}${other?.record ?? ''}${strayCds ? `@ IN CDS 12345 13 2 ${'AB'.repeat(32)}\n` : ''}`;
  const files: (string | null)[] = [];
  for (const [place, text] of texts.entries()) {
    if (text === null) files.push(null);
    else {
      const file = path.join(folder, `${zone}.${place}`);
      writeFileSync(file, `${text}${keys}`);
      await run('dnssec-signzone', [
        '-q',
        '-P',
        '-z',
        '-O',
        'full',
        '-K',
        folder,
        '-d',
        folder,
        '-o',
        zone,
        '-s',
        start,
        '-e',
        end,
        '-f',
        `${file}.signed`,
        ...(nsec3 ? ['-3', '-', '-H', String(nsec3.iterations)] : []),
        file,
        key.name,
      ]);
      if (edit) writeFileSync(`${file}.signed`, edit(readFileSync(`${file}.signed`, 'utf8')));
      files.push(`${file}.signed`);
    }
  }
  return { files, ds };
}

/** Makes the zone of a case with the tools of BIND, without a network. */
export async function makeZone(folder: string, given: DnsCase, zone: string): Promise<LabZone> {
  const { title, servers = ['ns-a', 'ns-b'], first = {}, second = {}, signing = {}, undelegated = false, missing = false } = given;
  mkdirSync(folder, { recursive: true });
  const versions = [first, second];
  const broken = path.join(folder, `${zone}.broken`);
  if (versions.includes('broken')) writeFileSync(broken, `${zone}. IN SOA this is no zone\n`);
  const texts = versions.map(version => (version === null || version === 'broken' ? null : zoneText(zone, servers, version)));
  let made: { files: (string | null)[]; ds: string[] };
  if (signing.algorithm === 'none') {
    const files = texts.map((text, place) => {
      const file = path.join(folder, `${zone}.${place}`);
      if (text !== null) writeFileSync(file, text);
      return text === null ? null : file;
    });
    made = { files, ds: [] };
  } else made = await signZone(folder, zone, texts, signing);
  return {
    title,
    zone,
    servers: servers.map(server => serverOf(server, zone)),
    ds: given.ds ? given.ds.flatMap(each => (each === 'own' ? made.ds : [each])) : made.ds,
    undelegated,
    missing,
    files: versions.map((version, place) => (version === 'broken' ? broken : made.files[place]!)) as LabZone['files'],
  };
}

const ptr = (address: string, name: string): string => `${printReverseName(parseAddress(address))}. IN PTR ${name}.\n`;

/** The zones around those of the test: from the root to the names of servers and of their addresses. */
function surroundings(folder: string, parents: readonly string[]): Record<string, string> {
  const ns = ['ns1.registry.example', 'ns2.registry.example'];
  const head = (zone: string): string =>
    `$TTL 3600\n${zone === '.' ? '.' : `${zone}.`} IN SOA ns1.registry.example. hostmaster.registry.example. 1 14400 3600 1209600 3600\n${cut(zone)}`;
  const cut = (zone: string): string => ns.map(server => `${zone === '.' ? '.' : `${zone}.`} IN NS ${server}.\n`).join('');
  const glue = ns.map((server, place) => `${server}. IN A ${addresses.registry[place]}\n`).join('');
  const reverse = { '10.45.in-addr.arpa': '45.', '0.0.d.2.ip6.arpa': '2d00:' };
  const named = Object.entries(hosts).flatMap(([name, of]) => of.map(address => ({ name: `${name}.example.net`, address })));
  const firstNames = named.filter(
    ({ address, name }, place) => name !== 'ns-unnamed.example.net' && named.findIndex(each => each.address === address) === place,
  );
  const all = [...firstNames, ...ns.map((name, place) => ({ name, address: addresses.registry[place]! }))];
  const zones: Record<string, string> = {
    '.': `${head('.')}${cut('arpa')}${cut('example')}${cut('net')}${glue}a.root-servers.net. IN A ${addresses.registry[0]}\n`,
    arpa: `${head('arpa')}${cut('in-addr.arpa')}${cut('ip6.arpa')}`,
    example: `${head('example')}${glue}`,
    net: `${head('net')}${cut('example.net')}`,
    'in-addr.arpa': `${head('in-addr.arpa')}${cut('10.45.in-addr.arpa')}`,
    'ip6.arpa': `${head('ip6.arpa')}${cut('0.0.d.2.ip6.arpa')}`,
    'example.net': `${head('example.net')}host.example.net. IN A 45.10.6.1\nns-alias.example.net. IN CNAME ns-a.example.net.\nns-circle.example.net. IN CNAME ns-round.example.net.\nns-round.example.net. IN CNAME ns-circle.example.net.\n${named
      .map(({ name, address }) => `${name}. IN ${address.includes(':') ? 'AAAA' : 'A'} ${address}\n`)
      .join('')}`,
  };
  for (const [zone, start] of Object.entries(reverse))
    zones[zone] = `${head(zone)}${all
      .filter(({ address }) => address.startsWith(start))
      .map(({ name, address }) => ptr(address, name === 'ns-misnamed.example.net' ? 'another-name.example.net' : name))
      .join('')}`;
  // The registry's zones below, as IANA delegates them; smaller ones are cut out of larger ones by the registry itself.
  for (const parent of parents.filter(each => !parents.some(other => each.endsWith(`.${other}`))))
    zones[parent.endsWith('ip6.arpa') ? 'ip6.arpa' : 'in-addr.arpa'] += cut(parent);
  for (const [zone, text] of Object.entries(zones)) writeFileSync(path.join(folder, `${zone === '.' ? 'root' : zone}.around`), text);
  return Object.fromEntries(Object.keys(zones).map(zone => [zone, path.join(folder, `${zone === '.' ? 'root' : zone}.around`)]));
}

const nsdConfiguration = (folder: string, name: string, listen: readonly string[], zones: string): string =>
  `server:\n${listen.map(each => `  ip-address: ${each}\n`).join('')}  username: ""\n  zonesdir: "${folder}"\n  database: ""\n  pidfile: "${folder}/${name}.pid"\n  xfrdfile: "${folder}/${name}.xfrd"\n  zonelistfile: "${folder}/${name}.list"\n  logfile: "${folder}/${name}.log"\n  server-count: 1\n  rrl-ratelimit: 0\nremote-control:\n  control-enable: no\n${zones}`;
const nsdZone = (zone: string, file: string): string => `zone:\n  name: "${zone}"\n  zonefile: "${file}"\n`;

/**
 * Writes the configuration of all servers: NSD has the zones around and the registry's own, as the publisher wrote them; a second NSD and BIND are the members'
 * servers. Returns the commands that start them.
 */
export function configureServers(folder: string, publisher: string, parents: readonly string[], zones: readonly LabZone[]): string[][] {
  const around = surroundings(folder, parents);
  const registry = `${Object.entries(around)
    .map(([zone, file]) => nsdZone(zone, file))
    .join('')}${readFileSync(path.join(publisher, 'nsd.conf'), 'utf8')}`;
  writeFileSync(path.join(folder, 'registry.conf'), nsdConfiguration(folder, 'registry', addresses.registry, registry));
  const ofFirst = zones.flatMap(({ zone, files: [file] }) => (file === null ? [] : [nsdZone(zone, file)])).join('');
  writeFileSync(path.join(folder, 'first.conf'), nsdConfiguration(folder, 'first', [...addresses.first, addresses.near], ofFirst));
  const alias = zones.find(({ servers }) => servers.some(each => each.startsWith('ns-alias-of-zone')));
  const aliasFile = path.join(folder, 'alias-of-zone');
  const around24 = alias?.zone.split('.').slice(1).join('.') ?? 'example';
  writeFileSync(
    aliasFile,
    `$TTL 3600\n${around24}. IN SOA ns-a.example.net. hostmaster.example.net. 1 14400 3600 1209600 3600\n${around24}. IN NS ns-a.example.net.\n${alias?.zone ?? 'a.example'}. IN CNAME names.example.net.\n`,
  );
  const bindZones = zones
    .flatMap(({ zone, files: [, file] }) => (file === null ? [] : [`    zone "${zone}" { type primary; file "${file}"; };\n`]))
    .join('');
  const view = (name: string, match: readonly string[], body: string): string =>
    `view "${name}" {\n    match-destinations { ${match.map(each => `${each}; `).join('')}};\n${body}};\n`;
  const bound = [
    ...addresses.second,
    addresses.unnamed,
    addresses.misnamed,
    addresses.open,
    addresses.axfr,
    addresses.root,
    addresses.zoneAlias,
    addresses.resolver,
  ];
  const hint = `    zone "." { type hint; file "${folder}/hints"; };\n`;
  writeFileSync(path.join(folder, 'hints'), `. 86400 NS ns1.registry.example.\nns1.registry.example. 86400 A ${addresses.registry[0]}\n`);
  writeFileSync(
    path.join(folder, 'named.conf'),
    `options { directory "${folder}"; pid-file "${folder}/named.pid"; session-keyfile "${folder}/session.key"; managed-keys-directory "${folder}";
  listen-on { ${bound
    .filter(each => !each.includes(':'))
    .map(each => `${each}; `)
    .join('')}}; listen-on-v6 { ${bound
    .filter(each => each.includes(':'))
    .map(each => `${each}; `)
    .join('')}};
  notify no; dnssec-validation no; allow-query { any; }; check-names primary ignore; check-integrity no; empty-zones-enable no; max-cache-ttl 5; max-ncache-ttl 5; };
controls { };
logging { category default { null; }; };
${view('resolver', [addresses.resolver], `    recursion yes;\n${hint}`)}${view('open', [addresses.open], `    recursion yes; allow-recursion { any; }; allow-transfer { none; };\n${hint}${bindZones}`)}${view('axfr', [addresses.axfr], `    recursion no; allow-transfer { any; };\n${bindZones}`)}${view('root', [addresses.root], `    recursion no; allow-transfer { none; };\n    zone "." { type primary; file "${around['.']}"; };\n`)}${view('alias', [addresses.zoneAlias], `    recursion no; allow-transfer { none; };\n    zone "${around24}" { type primary; file "${aliasFile}"; };\n`)}${view('closed', ['any'], `    recursion no; allow-transfer { none; };\n${bindZones}`)}`,
  );
  return [
    ['/usr/sbin/nsd', '-d', '-c', path.join(folder, 'registry.conf')],
    ['/usr/sbin/nsd', '-d', '-c', path.join(folder, 'first.conf')],
    ['/usr/sbin/named', '-f', '-n', '1', '-c', path.join(folder, 'named.conf')],
  ];
}

/** Every address that the lab listens on, and that of a machine on which nothing does. */
export const labAddresses = (): string[] => [
  ...addresses.registry,
  ...addresses.first,
  ...addresses.second,
  addresses.resolver,
  addresses.near,
  addresses.unnamed,
  addresses.misnamed,
  addresses.open,
  addresses.axfr,
  addresses.root,
  addresses.zoneAlias,
  addresses.down,
  ...relayNames.map(relayAddress),
  `${addresses.relays}200`,
];
