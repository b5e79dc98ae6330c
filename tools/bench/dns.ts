import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DAY_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { openDnsClient } from '../../apps/server/src/adapters/dns/client.ts';
import { readConfig } from '../../apps/server/src/config.ts';
import { openContext } from '../../apps/server/src/context.ts';
import { checkZone, openResolver, openZoneBook, publishZones, zonePublisher } from '../../apps/server/src/modules/reverse-dns/index.ts';
import { migrate, openDatabase } from '../../apps/server/src/platform/database/index.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { readingFrom } from '../../apps/server/src/platform/module.ts';
import { readProfile } from '../../apps/server/src/profile.ts';
import { throwawayPostgres } from '../../apps/server/test/database/throwaway-postgres.ts';
import { delegationAt, startBind, startNsd, type ZoneServer } from '../../dev/independent/zone-servers.ts';
import { type Bench, type Figure, milliseconds, percentile } from './figures/bench.ts';
import { temporaryFolder } from './programs/program.ts';

const DELEGATIONS = Number(process.env.BENCH_DNS_DELEGATIONS ?? 100_000);
const WATCHED = Number(process.env.BENCH_DNS_WATCHED ?? 10_000);
const CHANGES = Number(process.env.BENCH_DNS_CHANGES ?? 40);
const CHECKS = 40;
const activity = { action: 'bench', summary: 'Measured reverse DNS', traceId: '0'.repeat(32) };
const address = (n: number): string => `127.0.0.${n}`;
const nsPort = 30_410;
const seconds = (value: number): string => `${value.toFixed(1)} s`;
const took = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

/** Milliseconds of processor that this process took since. */
function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

type Opened = { context: ReturnType<typeof openContext>; folder: string };

/** Registers zones below 10.in-addr.arpa and 11.in-addr.arpa, half of them with a DS, as whois stores them. */
async function register({ context: { db } }: Opened): Promise<void> {
  await db.change(
    activity,
    async change => {
      await change.rows(sql`insert into whois_object (class, key, shown, text, version, first, last, registry_maintained, kept, created_at, changed_at)
        select 'domain', zone, zone, 'domain: ' || zone || E'\nnserver: ns1.example.net\nnserver: ns2.example.net\n' || case when n % 2 = 0 then 'ds-rdata: 12345 13 2 ' || repeat('AB', 32) || E'\n' else '' end, 1,
          host('10.0.0.0'::inet + n::bigint * 256)::inet, host('10.0.0.0'::inet + n::bigint * 256 + 255)::inet, false, false, now(), now()
        from (select n, (n & 255) || '.' || ((n >> 8) & 255) || '.' || (10 + (n >> 16)) || '.in-addr.arpa' as zone from generate_series(0, ${DELEGATIONS - 1}) n) w`);
    },
    { timeout: 0 },
  );
}

/** One domain object gets other name servers, as the journal has it. */
const changeZone = ({ context: { db } }: Opened, zone: string, server: string): Promise<unknown> =>
  db.change(activity, async change => {
    await change.rows(sql`update whois_object set version = version + 1, changed_at = now(),
      text = regexp_replace(text, 'nserver: \\S+', ${`nserver: ${server}`}) where class = 'domain' and key = ${zone}`);
    await change.rows(sql`insert into whois_journal (serial, operation, class, key, shown, version, text, activity_id, happened_at)
      select (select coalesce(max(serial), 0) + 1 from whois_journal), 'ADD', class, key, shown, version, text, (select max(activity_id) from activity), now() from whois_object where class = 'domain' and key = ${zone}`);
    await change.rows(sql`select pg_notify('whois', '')`);
  });

async function publication(opened: Opened): Promise<Figure[]> {
  const { context } = opened;
  await register(opened);
  let book!: Awaited<ReturnType<typeof openZoneBook>>;
  const atFirst = process.cpuUsage();
  const full = await took(async () => {
    book = await openZoneBook(context.db.read, context.profile);
    await publishZones(context, book);
  });
  const ofFull = cpuSince(atFirst);
  const changes: number[] = [];
  const bare: number[] = [];
  const cpu: number[] = [];
  const files = path.join(context.config.filesDir, 'zones');
  const [zoneFile, bareFile] = [path.join(files, '10.in-addr.arpa.zone'), path.join(files, 'bare')];
  for (let n = 0; n < CHANGES; n++) {
    await changeZone(opened, `${n}.7.10.in-addr.arpa`, `ns${n}.example.org`);
    const before = process.cpuUsage();
    changes.push(await took(() => publishZones(context, book)));
    cpu.push(cpuSince(before));
    // Alternating with the unavoidable part: the same bytes stored and renamed, and one transaction.
    const bytes = readFileSync(zoneFile);
    bare.push(
      await took(async () => {
        await writeFile(bareFile, bytes, { flush: true });
        await rename(bareFile, `${bareFile}.zone`);
        await context.db.change(activity, change => change.rows(sql`select 1`));
      }),
    );
  }
  const change = percentile(changes, 0.99);
  return [
    {
      what: `${DELEGATIONS.toLocaleString('en')} delegations in ${book.parents.size} zones, built in full`,
      value: `${seconds(full / 1000)}, ${seconds(ofFull / 1000)} CPU`,
      budget: '10 s',
      held: full < 10_000,
    },
    {
      what: 'one change of them, from the journal to the file, p99',
      value: `${milliseconds(change)} (p50 ${milliseconds(percentile(changes, 0.5))}), ${milliseconds(percentile(cpu, 0.99))} CPU`,
      budget: '200 ms',
      held: change < 200,
    },
    {
      what: 'beside its bytes stored and one transaction, in turn',
      value: `p50 ${milliseconds(percentile(bare, 0.5))}, p99 ${milliseconds(percentile(bare, 0.99))}; ratio of p50 ${(percentile(changes, 0.5) / percentile(bare, 0.5)).toFixed(2)}`,
      budget: 'ratio 3',
      held: percentile(changes, 0.5) <= 3 * percentile(bare, 0.5),
    },
  ];
}

/** From a domain object to the answer of a secondary: publisher, NSD as primary, NOTIFY, transfer, BIND as secondary. */
async function visible(opened: Opened): Promise<Figure[]> {
  const { folder, context } = opened;
  const parent = '12.in-addr.arpa';
  const zoneOf = (n: number): string => `${n}.0.12.in-addr.arpa`;
  await context.db.change(activity, change =>
    change.rows(sql`insert into whois_object (class, key, shown, text, version, registry_maintained, kept, created_at, changed_at)
      select 'domain', n || '.0.12.in-addr.arpa', n || '.0.12.in-addr.arpa', E'nserver: ns1.example.net\nnserver: ns2.example.net\n', 1, false, false, now(), now() from generate_series(0, 255) n`),
  );
  const book = await openZoneBook(context.db.read, context.profile);
  await publishZones({ ...context, config: { ...context.config, dnsSecondaries: [`127.0.0.1:${nsPort + 1}`] } }, book);
  const zones = readFileSync(path.join(context.config.filesDir, 'zones/nsd.conf'), 'utf8');
  const primary = startNsd({ folder: path.join(folder, 'primary'), port: nsPort, zones });
  const secondary: ZoneServer = startBind({
    folder: path.join(folder, 'secondary'),
    port: nsPort + 1,
    zones: `zone "${parent}" { type secondary; primaries { 127.0.0.1 port ${nsPort}; }; file "copy"; };\n`,
  });
  const config = { ...context.config, dnsReload: primary.reload, dnsSecondaries: [`127.0.0.1:${nsPort + 1}`] };
  const publisher = await zonePublisher.open(readingFrom('primary', { ...context, config }));
  try {
    while ((await delegationAt(secondary, zoneOf(0))).length === 0) await pause(50);
    const times: number[] = [];
    for (let n = 0; n < CHANGES; n++) {
      const server = `ns${n}.example.org`;
      times.push(
        await took(async () => {
          await changeZone(opened, zoneOf(n), server);
          while (!(await delegationAt(secondary, zoneOf(n))).includes(server)) await pause(10);
        }),
      );
      // Members click at any time, not right after the last publication.
      await pause(137);
    }
    const p99 = percentile(times, 0.99);
    return [
      {
        what: 'domain object to answer of a secondary (NSD, NOTIFY, transfer, BIND), beside the other delegations',
        value: `p50 ${milliseconds(percentile(times, 0.5))}, p99 ${milliseconds(p99)}`,
        budget: 'p99 3 s',
        held: p99 < 3_000,
      },
    ];
  } finally {
    await publisher.close();
    await Promise.all([primary.stop(), secondary.stop()]);
  }
}

/** Writes a zone of PTR records, one with the names of two servers, and a signed one, into a folder. Returns the DS record of the signed one. */
function writeZones(own: string, signed: string): string {
  mkdirSync(own, { recursive: true });
  const head =
    '$TTL 3600\n@ IN SOA ns1.example.net. hostmaster.example.net. 1 14400 3600 1209600 3600\n@ IN NS ns1.example.net.\n@ IN NS ns2.example.net.\n';
  writeFileSync(path.join(own, 'plain'), `${head}1 IN PTR host.example.net.\n`);
  writeFileSync(path.join(own, 'names'), `${head}ns1 IN A ${address(53)}\nns2 IN A ${address(54)}\n`);
  const key = execFileSync('dnssec-keygen', ['-K', own, '-a', 'ECDSAP256SHA256', '-f', 'KSK', '-n', 'ZONE', signed], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
  writeFileSync(path.join(own, 'signed'), `${readFileSync(path.join(own, 'plain'), 'utf8')}$INCLUDE ${path.join(own, `${key}.key`)}\n`);
  execFileSync('dnssec-signzone', [
    '-q',
    '-P',
    '-z',
    '-K',
    own,
    '-d',
    own,
    '-o',
    signed,
    '-f',
    path.join(own, 'signed.zone'),
    path.join(own, 'signed'),
    key,
  ]);
  return execFileSync('dnssec-dsfromkey', ['-2', path.join(own, key)], { encoding: 'utf8' })
    .trim()
    .replace(/^.* DS /, '');
}

type Check = (zone: string, keys: string[]) => ReturnType<typeof checkZone>;

/** How long a check of one healthy signed zone takes. */
async function oneCheck(check: Check, signed: string, ds: string): Promise<Figure> {
  const times: number[] = [];
  for (let n = 0; n < CHECKS; n++) {
    const began = performance.now();
    const { findings } = await check(signed, [ds]);
    times.push(performance.now() - began);
    const bad = findings.filter(({ state, severity }) => state === 'failed' && severity !== 'notice');
    if (bad.length > 0) throw new Error(`a healthy zone has ${bad.map(each => `${each.check}: ${each.detail}`).join('; ')}`);
  }
  const p99 = percentile(times, 0.99);
  return {
    what: 'one check of a healthy signed zone on two addresses',
    value: `p50 ${milliseconds(percentile(times, 0.5))}, p99 ${milliseconds(p99)}`,
    budget: '1.5 s',
    held: p99 < 1_500,
  };
}

/** How long the checks of many zones take, as many at a time as a worker runs tasks. */
async function manyChecks(check: Check, watched: readonly string[]): Promise<Figure> {
  let sockets = 0;
  const counting = setInterval(() => {
    sockets = Math.max(sockets, readdirSync('/proc/self/fd').length);
  }, 20);
  const before = process.cpuUsage();
  const waiting = [...watched];
  let answered = 0;
  const wall = await took(() =>
    Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let zone = waiting.pop(); zone; zone = waiting.pop())
          if ((await check(zone, [])).servers.every(({ state }) => state === 'authoritative')) answered++;
      }),
    ),
  );
  clearInterval(counting);
  const { user, system } = process.cpuUsage(before);
  if (answered !== WATCHED) throw new Error(`${answered} of ${WATCHED} zones answered`);
  return {
    what: `${WATCHED.toLocaleString('en')} zones checked by one process, 8 at a time`,
    value: `${seconds(wall / 1000)}, ${seconds((user + system) / 1e6)} CPU, ${Math.round((1_000 * wall) / DAY_MS) / 10} % of a day; at most ${sockets} files and sockets open`,
    budget: 'a day, 400 files and sockets',
    held: wall < DAY_MS && sockets < 400,
  };
}

/** Checks of signed zones that NSD serves at two addresses of this machine. */
async function checks({ folder }: Opened): Promise<Figure[]> {
  const own = path.join(folder, 'checked');
  const signed = '1.0.13.in-addr.arpa';
  const ds = writeZones(own, signed);
  const watched = Array.from({ length: WATCHED }, (_, n) => `${n & 255}.${n >> 8}.14.in-addr.arpa`);
  const server = startNsd({
    folder: path.join(folder, 'members'),
    address: `${address(53)}\n  ip-address: ${address(54)}`,
    port: nsPort + 2,
    zones: [['example.net', 'names'], [signed, 'signed.zone'], ...watched.map(zone => [zone, 'plain'])]
      .map(([zone, file]) => `zone:\n  name: "${zone}"\n  zonefile: "${path.join(own, file!)}"\n`)
      .join(''),
  });
  const client = openDnsClient();
  const target = { address: address(53), port: nsPort + 2 };
  try {
    while ((await delegationAt(target, watched.at(-1)!)).length === 0) await pause(100);
    const tools = {
      client,
      resolver: openResolver(client, [`${address(53)}:${nsPort + 2}`], 1_000),
      port: nsPort + 2,
      timeoutMs: 3_000,
      lab: true,
      now: new Date(),
      originsOf: () => Promise.resolve([]),
    };
    const check: Check = (zone, keys) =>
      checkZone(
        { zone, servers: ['ns1.example.net', 'ns2.example.net'], ds: keys, parent: { found: true, servers: [] }, isHeld: true },
        tools,
      );
    return [await oneCheck(check, signed, ds), await manyChecks(check, watched)];
  } finally {
    await server.stop();
  }
}

/** Reverse zones published, answered by a secondary, and checked, with name servers of others on this machine. */
export const bench: Bench = {
  about: 'reverse DNS with NSD and BIND; BENCH_DNS_DELEGATIONS, BENCH_DNS_WATCHED and BENCH_DNS_CHANGES change how much',
  run: async () => {
    await using temporary = temporaryFolder();
    const { folder } = temporary;
    const postgres = await throwawayPostgres({ inMemory: true });
    const made = postgres.server ? await postgres.server.createDatabase() : null;
    const db = await openDatabase({ url: made?.url ?? path.join(folder, 'db') });
    const config = readConfig({ NODE_ENV: 'test', DATA_DIR: folder, APP_URL: 'https://localhost' });
    const context = openContext({ db, config, profile: readProfile(''), log: createLog('silent'), release: 'bench' });
    try {
      await migrate(db);
      const opened = { context, folder };
      return [...(await publication(opened)), ...(await visible(opened)), ...(await checks(opened))];
    } finally {
      await context.close();
      await db.close();
      await made?.drop();
    }
  },
};
