import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { softwareSigner } from '../../apps/server/src/adapters/software-signer.ts';
import { readConfig } from '../../apps/server/src/config.ts';
import { openContext } from '../../apps/server/src/context.ts';
import { createAccount } from '../../apps/server/src/modules/accounts/index.ts';
import { delegate } from '../../apps/server/src/modules/resources/index.ts';
import type { CaSigner, MadeKey } from '../../apps/server/src/modules/rpki/authorities/signer.ts';
import { caSigner } from '../../apps/server/src/modules/rpki/authorities/signing-system.ts';
import { checkRepository, publishAll, publishRepository, rpkiModule, switchTree } from '../../apps/server/src/modules/rpki/index.ts';
import { type Database, migrate, openDatabase } from '../../apps/server/src/platform/database/index.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { type ModuleContext, readingFrom } from '../../apps/server/src/platform/module.ts';
import type { Secrets } from '../../apps/server/src/platform/secret-box.ts';
import { readProfile } from '../../apps/server/src/profile.ts';
import { anyNumbers } from '../../apps/server/test/any-numbers.ts';
import { throwawayPostgres } from '../../apps/server/test/database/throwaway-postgres.ts';
import { weakKeys } from './data/rpki-keys.ts';
import { type Bench, type Figure, megabytes, milliseconds, percentile } from './figures/bench.ts';
import { validateFullTable } from './figures/origins.ts';
import { memoryOf, temporaryFolder } from './programs/program.ts';

const run = promisify(execFile);
const AUTHORITIES = Number(process.env.BENCH_RPKI_CAS ?? 2_000);
const ROAS_EACH = 5;
const CLICKS = Number(process.env.BENCH_RPKI_CLICKS ?? 100);
const activity = { action: 'bench', summary: 'Measured RPKI', traceId: '0'.repeat(32) };

/** Returns the signatures a second of OpenSSL itself on all processors, in this very run. */
async function opensslSpeed(): Promise<number> {
  const { stdout } = await run('openssl', ['speed', '-seconds', '3', '-multi', String(os.availableParallelism()), 'rsa2048']);
  return Number(/rsa 2048 bits\s+\S+s\s+\S+s\s+([\d.]+)/.exec(stdout.replaceAll(/^.*\+F.*$/gm, ''))?.[1]);
}

/**
 * Returns the signatures a second of a full issue without anything else: of 14 for each authority 6 are by keys that sign once, which have to be opened, and
 * cost more than twice as much as those that OpenSSL measures, by one key that is warm. It is the most that any publication can reach here.
 */
async function signingAlone(keys: readonly MadeKey[], secrets: Secrets): Promise<number> {
  const signer = softwareSigner(secrets);
  const made = keys.slice(0, 1_300).map(key => ({ ...key, toBeSigned: Buffer.alloc(400) }));
  const [owners, once] = [made.slice(0, 100), made.slice(100)];
  // The threads start, and the keys of authorities are open.
  await Promise.all([signer.sign(owners), signer.sign(owners)]);
  const all = once.flatMap((key, index) => [
    { ...key, isOnce: true },
    owners[index % 100]!,
    ...(index % 3 === 0 ? [owners[index % 100]!] : []),
  ]);
  const began = performance.now();
  for (let at = 0; at < all.length; at += 500) await signer.sign(all.slice(at, at + 500));
  const rate = all.length / ((performance.now() - began) / 1000);
  await signer.close();
  return rate;
}

/** Up to so many authorities a re-issue makes its keys itself; of more it is calculated, from so many keys that are made to be measured. */
const REAL_KEYS_UP_TO = 200;

/** Returns the processor time of an RSA key, in seconds. */
async function keyMaking(secrets: Secrets): Promise<number> {
  const signer = softwareSigner(secrets);
  try {
    const { cpu } = await measured(() => signer.createKeys(REAL_KEYS_UP_TO));
    return cpu / REAL_KEYS_UP_TO;
  } finally {
    await signer.close();
  }
}

/** Counts what a signer is asked for from now on. */
function countSigning(signer: CaSigner): { signatures: number; oneTimeKeys: number; keysMade: number } {
  const counts = { signatures: 0, oneTimeKeys: 0, keysMade: 0 };
  const { sign, createKeys } = signer;
  signer.sign = wanted => {
    counts.signatures += wanted.length;
    counts.oneTimeKeys += wanted.filter(({ isOnce }) => isOnce).length;
    return sign(wanted);
  };
  signer.createKeys = count => {
    counts.keysMade += count;
    return createKeys(count);
  };
  return counts;
}

/** Says on the terminal how far it is: a full run takes minutes. */
function stage(done: string): void {
  if (process.stderr.isTTY || process.env.BENCH_STAGES) process.stderr.write(`${performance.now().toFixed(0).padStart(8)} ms  ${done}\n`);
}

type Measured = { wall: number; cpu: number };
async function measured(work: () => Promise<unknown>): Promise<Measured> {
  const [began, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { wall: (performance.now() - began) / 1000, cpu: (user + system) / 1e6 };
}
/** Refreshes in a process of its own. */
async function refreshElsewhere(environment: Record<string, string>): Promise<Measured & { memory: number }> {
  const { stdout } = await run(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', path.join(import.meta.dirname, 'programs/rpki-refresh.ts')],
    { env: { ...process.env, ...environment } },
  );
  return JSON.parse(stdout) as Measured & { memory: number };
}
const seconds = (value: number): string => `${value.toFixed(1)} s`;

/** Makes accounts that hold numbers, each with an authority. */
async function makeAuthorities(db: Database, names: readonly string[]): Promise<void> {
  await db.change(
    activity,
    async change => {
      for (const [number, accountName] of names.entries()) {
        await createAccount(change, {
          accountName,
          orgName: accountName,
          economy: 'AU',
          accountType: 'regular',
          accountStatus: 'open',
          expiryDate: '2099-12-31',
        });
        await delegate(change, { resource: `10.${number >> 4}.${(number & 15) * 16}.0/20`, accountName, type: 'allocated' }, anyNumbers);
        await delegate(change, { resource: `AS${4_200_000_000 + number}`, accountName, type: 'allocated' }, anyNumbers);
      }
      stage('created accounts');
      await change.rows(sql`insert into rpki_ca (kind, account_name, handle, enabled_at)
        select 'member', name, md5(name), now() from unnest(${names}::text[]) name`);
    },
    { timeout: 0 },
  );
}

/** Gives each authority one of the keys, and puts all others into the pool of keys that sign once. */
async function storeKeys(db: Database, names: readonly string[], own: readonly MadeKey[], once: readonly MadeKey[]): Promise<void> {
  await db.change(activity, change =>
    change.rows(sql`insert into rpki_key (ca_id, state, public_key, key_identifier, sealed_private, created_at, state_since)
      select c.ca_id, 'current', k.public_key, k.key_identifier, k.sealed, now(), now() from unnest(${names}::text[], ${own.map(({ publicKey }) => publicKey)}::bytea[],
        ${own.map(({ keyIdentifier }) => keyIdentifier)}::text[], ${own.map(({ sealed }) => sealed)}::bytea[]) as k (name, public_key, key_identifier, sealed)
      join rpki_ca c on c.account_name = k.name and c.kind = 'member'`),
  );
  await sql`insert into rpki_one_time_key (public_key, sealed_private, made_at) select public_key, sealed, now() from unnest(
    ${once.map(({ publicKey }) => publicKey)}::bytea[], ${once.map(({ sealed }) => sealed)}::bytea[]) as k (public_key, sealed)`.execute(
    db.unrecorded,
  );
}

async function writeRoas(db: Database): Promise<void> {
  await db.change(
    activity,
    async change => {
      await change.rows(sql`insert into roa (account_name, prefix, max_length, asn, created_at)
        select account_name, set_masklen(first + 256 * place, 24)::cidr, 24, 4200000000 + place, now()
        from delegation cross join generate_series(0, ${ROAS_EACH - 1}) place where kind = 'ipv4' and account_name like 'BENCH-%'`);
      await change.rows(
        sql`update rpki_key set not_after = now() + interval '1 day' where ca_id in (select ca_id from rpki_ca where kind = 'member')`,
      );
    },
    { timeout: 0 },
  );
}

/** Lets every certificate end soon, of authorities and of objects: all of it is to be made anew. */
async function letAllEnd(db: Database): Promise<void> {
  await db.change(
    activity,
    async change => {
      await change.rows(sql`update rpki_object set not_after = now() + interval '1 day' where kind = 'roa'`);
      await change.rows(
        sql`update rpki_key set not_after = now() + interval '1 day' where ca_id in (select ca_id from rpki_ca where kind = 'member')`,
      );
    },
    { timeout: 0 },
  );
}

type PoolKey = { publicKey: Buffer; sealedPrivate: Buffer };

/** Takes the keys out of the pool. */
async function emptyPool(db: Database): Promise<PoolKey[]> {
  const { rows } = await sql<PoolKey>`delete from rpki_one_time_key returning public_key, sealed_private`.execute(db.unrecorded);
  return rows;
}

async function refillPool(db: Database, pool: readonly PoolKey[]): Promise<void> {
  if (pool.length === 0) return;
  await sql`insert into rpki_one_time_key (public_key, sealed_private, made_at) select public_key, sealed_private, now() from unnest(
    ${pool.map(({ publicKey }) => publicKey)}::bytea[], ${pool.map(({ sealedPrivate }) => sealedPrivate)}::bytea[]) as k (public_key, sealed_private)`.execute(
    db.unrecorded,
  );
}

/** Publishes everything anew. Returns its processor time with that of the keys, in seconds, and what was signed. */
async function reissueAll(context: ModuleContext) {
  const { db, config } = context;
  await letAllEnd(db);
  // The keys of the pool are not those of such a run: they wait aside, and a registry of this size makes its own.
  const pool = AUTHORITIES > REAL_KEYS_UP_TO ? [] : await emptyPool(db);
  const counts = countSigning(context.outside(caSigner));
  const again = await measured(() => publishAll(context));
  const { signatures, oneTimeKeys, keysMade } = counts;
  await refillPool(db, pool);
  const perKey = await keyMaking(config);
  return { cpu: again.cpu + Math.max(0, oneTimeKeys - keysMade) * perKey, perKey, signatures, oneTimeKeys, keysMade };
}

/** Returns how long it takes from a click to the repository, in ms: the first time after a start, and each time later. */
async function timeClicks(context: ModuleContext, names: readonly string[]): Promise<{ first: number; later: readonly number[] }> {
  const { db, config } = context;
  const clicks: number[] = [];
  const notification = path.join(config.rpkiDir, 'rrdp/notification.xml');
  const serialNow = (): number => Number(/ serial="(\d+)">/.exec(readFileSync(notification, 'latin1'))?.[1]);
  // The publisher itself, as it runs beside the web server: the database notifies it.
  const publisher = await rpkiModule.servers![0]!.open(readingFrom('primary', context));
  const click = async (number: number): Promise<number> => {
    const before = serialNow();
    const began = performance.now();
    await db.change(activity, change =>
      change.rows(sql`insert into roa (account_name, prefix, max_length, asn, created_at)
        select account_name, set_masklen(first + 256 * 15, 24)::cidr, 24, ${4_200_000_000 + number}, now() from delegation
        where kind = 'ipv4' and account_name = ${names[number % names.length]!}`),
    );
    while (serialNow() === before) await pause(2);
    return performance.now() - began;
  };
  // A publisher that has just started reads the whole repository once.
  const first = await click(CLICKS);
  for (let number = 0; number < CLICKS; number++) clicks.push(await click(number));
  await publisher.close();
  return { first, later: clicks };
}

/** Writes the tree for rsync after all manifests changed, and switches to another. Returns what both cost, and checks what is published. */
async function timeTrees(context: ModuleContext, names: readonly string[]) {
  const { db, config } = context;
  const tree = await measured(() => publishRepository(context));
  // The same files under another serial: what is measured is the switch, not the writing of what changed.
  await db.change(activity, change =>
    change.rows(sql`insert into roa (account_name, prefix, max_length, asn, created_at)
      select account_name, set_masklen(first + 256 * 14, 24)::cidr, 24, 4200000000, now() from delegation
      where kind = 'ipv4' and account_name = ${names[0]!}`),
  );
  await publishAll(context);
  const [{ files }] = (await db.read.rows<{ files: number }>(sql`select count(*)::int as files from rpki_object`)) as [{ files: number }];
  const treeSwitch = await measured(() => switchTree({ db, folder: config.rpkiDir, rsyncBase: config.rpkiRsyncBase, now: new Date() }));
  const { vrps, problems } = await checkRepository(db.read, new Date());
  if (problems.length > 0 || vrps < AUTHORITIES * ROAS_EACH) throw new Error(`${vrps} VRPs; ${problems.slice(0, 3).join('; ')}`);

  return { tree, files, treeSwitch };
}

/** Members' authorities publish, are refreshed and made anew, with the database of the machine and files on its disk. */
export const bench: Bench = {
  about: `${AUTHORITIES.toLocaleString('en')} authorities of members with ${ROAS_EACH} ROAs each; BENCH_RPKI_CAS and BENCH_RPKI_CLICKS change that`,
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
      const names = Array.from({ length: AUTHORITIES }, (_, number) => `BENCH-${number}`);
      await makeAuthorities(db, names);
      // One each for the ROAs and three manifests, and of clicks two.
      const all = weakKeys(AUTHORITIES + AUTHORITIES * (ROAS_EACH + 3) + 2 * CLICKS + 200, config);
      const [own, once] = [all.slice(0, AUTHORITIES), all.slice(AUTHORITIES)];
      await storeKeys(db, names, own, once);
      stage('made keys');
      // The certificates of the authorities: not measured.
      await publishAll(context);
      stage('certified the authorities');
      await writeRoas(db);
      stage('wrote ROAs');
      const speed = await opensslSpeed();
      const alone = await signingAlone(once, config);
      const issue = await measured(() => publishAll(context));
      stage('published everything');
      await publishRepository(context);
      stage('wrote files');
      const reissue = await reissueAll(context);
      stage('published everything again');
      const clicks = await timeClicks(context, names);
      stage('clicked');
      await db.change(activity, change => change.rows(sql`update rpki_manifest set next_update = now() + interval '11 hours'`));
      // On a machine without PostgreSQL the database is open in this process alone.
      const refresh = made
        ? await refreshElsewhere({ DATABASE_URL: made.url, DATA_DIR: folder, APP_URL: 'https://localhost', NODE_ENV: 'test' })
        : { ...(await measured(() => publishAll(context))), memory: memoryOf(process.pid, 'VmHWM') ?? 0 };
      stage('refreshed');
      const trees = await timeTrees(context, names);
      stage('checked');
      return [
        clickFigure(clicks),
        ...signingFigures({ speed, alone, issue, reissue }),
        ...refreshFigures(refresh, trees),
        validateFullTable(),
      ];
    } finally {
      await context.close();
      await db.close();
      await made?.drop();
    }
  },
};

type Signing = { speed: number; alone: number; issue: Measured; reissue: Awaited<ReturnType<typeof reissueAll>> };

function signingFigures({ speed, alone, issue, reissue }: Signing): Figure[] {
  // A certificate, ROAs of two signatures, a CRL and a manifest of two for each.
  const perSecond = (AUTHORITIES * (1 + 2 * ROAS_EACH + 3)) / issue.wall;
  const { cpu, perKey, signatures, oneTimeKeys, keysMade } = reissue;
  const allAnew = issue.cpu + AUTHORITIES * (ROAS_EACH + 1) * perKey;
  return [
    {
      what: 'full issue, signatures a second',
      value: `${Math.round(perSecond)} of ${Math.round(speed)} by openssl speed, ${Math.round((100 * perSecond) / speed)} %; ${Math.round((100 * perSecond) / alone)} % of ${Math.round(alone)}, signing alone with keys that sign once; ${seconds(issue.wall)}, ${seconds(issue.cpu)} CPU`,
      budget: '80 %',
      held: perSecond > 0.8 * speed,
    },
    {
      what: 'full re-issue, keys included',
      value: `${seconds(cpu)} CPU, beside ${seconds(allAnew)} where every object is signed anew; ${signatures.toLocaleString('en')} signatures and ${oneTimeKeys.toLocaleString('en')} keys of ${milliseconds(perKey * 1000)}, of which ${keysMade.toLocaleString('en')} were made meanwhile`,
      budget: 'half of signing all anew',
      held: cpu <= allAnew / 2,
    },
  ];
}

function clickFigure({ first, later }: Awaited<ReturnType<typeof timeClicks>>): Figure {
  const [middle, slowest] = [percentile(later, 0.5), percentile(later, 0.99)];
  return {
    what: 'click to repository (the RRDP serial that has the ROA), p99',
    value: `${milliseconds(slowest)}; the middle one ${milliseconds(middle)}, the first after a start ${milliseconds(first)}`,
    budget: '2 s',
    held: slowest < 2_000,
  };
}

function refreshFigures(
  refresh: Measured & { memory: number },
  { tree, files, treeSwitch }: Awaited<ReturnType<typeof timeTrees>>,
): Figure[] {
  const { memory } = refresh;
  return [
    {
      what: 'refresh of all manifests and CRLs',
      value: `${seconds(refresh.cpu)} CPU, ${seconds(refresh.wall)}`,
      budget: '90 s CPU',
      held: refresh.cpu < 90,
    },
    { what: 'memory of the refresh at its highest', value: megabytes(memory), budget: '600 MB', held: memory < 600e6 },
    { what: 'RRDP and tree for rsync after all manifests and CRLs changed', value: seconds(tree.wall) },
    {
      what: `switch of the tree for rsync, ${files.toLocaleString('en')} files`,
      value: `${treeSwitch.wall.toFixed(2)} s, ${treeSwitch.cpu.toFixed(2)} s CPU`,
      budget: '1 s',
      held: treeSwitch.wall < 1,
    },
  ];
}
