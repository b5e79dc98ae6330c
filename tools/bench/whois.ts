import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { readConfig } from '../../apps/server/src/config.ts';
import { readBackRdap } from '../../apps/server/src/modules/rdap/index.ts';
import { openDatabase } from '../../apps/server/src/platform/database/index.ts';
import { readProfile } from '../../apps/server/src/profile.ts';
import { root } from '../root.ts';
import { type Bench, type Figure, milliseconds } from './figures/bench.ts';
import { httpLoad } from './programs/http-load.ts';
import { keptRegions } from './data/kept-region.ts';
import { statementsOf } from './data/portal-data.ts';
import { address, memoryOf, port, type Program, startProgram, temporaryFolder } from './programs/program.ts';
import { statisticsFile } from './data/statistics.ts';
import type { Region } from './data/whois-region.ts';
import { changeFigures } from './programs/whois-visible.ts';

type Load = { perSecond: number; p50: number; p99: number; size: number; wrong: number; asked: number };

const whoisPort = Number(process.env.BENCH_WHOIS_PORT ?? port + 1);
const barePort = port + 2;
const load = { connections: 32, seconds: 3 };
/** Number of alternating measurements, because of other load on the machine. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const LARGE = 1_000_000;
const SMALL = 10_000;

type Asked = { file: string; kept: boolean; seconds?: number; from?: number };
/** Sends queries over kept-open connections, or one connection each, from a separate process. */
async function lineLoad(to: number, { file, kept, seconds = load.seconds, from = 0 }: Asked): Promise<Load> {
  const environment = {
    PORT: String(to),
    QUERIES: file,
    CONNECTIONS: String(load.connections),
    SECONDS: String(seconds),
    KEPT: kept ? 'yes' : 'no',
    FROM: String(from),
  };
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(root, 'tools/bench/programs/line-load.ts')], {
    env: { ...process.env, ...environment },
  });
  return JSON.parse(stdout) as Load;
}

/** The bare server, answering with so many bytes on a port of its choice. */
async function bareServer(size: number): Promise<{ port: number } & AsyncDisposable> {
  const child = spawn(process.execPath, [path.join(root, 'tools/bench/programs/bare-line-server.ts')], {
    env: { ...process.env, SIZE: String(size) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    port: Number(said),
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** A file of queries, the same sequence each time, mixed as they come. */
function queryFile(folder: string, name: string, queries: readonly string[]): string {
  let state = 7;
  const mixed = queries
    .map(query => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return { query, place: state };
    })
    .sort((a, b) => a.place - b.place);
  const file = path.join(folder, name);
  writeFileSync(file, mixed.map(({ query }) => query).join('\n'));
  return file;
}

/** Writes the profile of a registry without a limit on queries. */
function profileFile(folder: string): string {
  const file = path.join(folder, 'profile.json');
  writeFileSync(file, JSON.stringify({ personalLookupsPerDay: 1e12 }));
  return file;
}

async function hasBgpq4(): Promise<boolean> {
  return promisify(execFile)('bgpq4', ['-v']).then(
    () => true,
    error => (error as NodeJS.ErrnoException).code !== 'ENOENT',
  );
}

/** Sends one command and answers how long it took until its last byte. */
async function timeOf(command: string): Promise<{ ms: number; bytes: number }> {
  const started = performance.now();
  const socket = net.connect(whoisPort, '127.0.0.1');
  socket.end(command);
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await once(socket, 'close');
  return { ms: performance.now() - started, bytes };
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const rates = (of: readonly Load[]): string => of.map(({ perSecond }) => Math.round(perSecond).toLocaleString('en')).join(', ');
const say = (of: readonly Load[]): string =>
  `${rates(of)} a second, p50 ${milliseconds(median(of.map(({ p50 }) => p50)))}, p99 ${milliseconds(median(of.map(({ p99 }) => p99)))}, ${Math.round(of[0]!.size)} bytes, ${of.reduce((sum, { wrong }) => sum + wrong, 0)} wrong`;

/** Starts a registry's port 43 and RDAP over a region, its objects in memory unless the database should be queried; returns how long copying took. */
async function serve(url: string, folder: string, memory: 'copy' | 'database' = 'copy'): Promise<Program & { copying: number }> {
  const program = await startProgram({
    DATA_DIR: folder,
    DATABASE_URL: url,
    DEMO: 'off',
    // The web role says when the process is ready.
    ROLES: 'web,whois',
    WHOIS_PORT: String(whoisPort),
    REGISTRY_PROFILE: profileFile(folder),
    ...(memory === 'database' && { WHOIS_MEMORY_MEGABYTES: '0' }),
  });
  const started = performance.now();
  while (memory === 'copy' && !/^whois_copy_objects [1-9]/m.test(await (await fetch(`${address}/metrics`)).text()))
    await new Promise(resolve => setTimeout(resolve, 100));
  return { ...program, copying: (performance.now() - started) / 1000 };
}

/** Returns answers per second over kept-open connections, in a separate process each round. */
async function rate(url: string, folder: string, { file, memory }: { file: string; memory: 'copy' | 'database' }): Promise<number> {
  const loads: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await using _program = await serve(url, folder, memory);
    const first = await lineLoad(whoisPort, { file, kept: true, seconds: 2 });
    loads.push((await lineLoad(whoisPort, { file, kept: true, from: first.asked })).perSecond);
  }
  return median(loads);
}

/** Both kinds of connections against the bare server, in turns. Few queries are asked twice, and none is answered from memory of its answer. */
async function lineFigures({ region, folder }: { region: Region; folder: string }): Promise<Figure[]> {
  const figures: Figure[] = [];
  const file = queryFile(folder, 'queries', [...region.exact, ...region.inside, ...region.once]);
  const first = await lineLoad(whoisPort, { file, kept: true });
  await using bare = await bareServer(Math.round(first.size));
  let from = first.asked;
  for (const [isStored, goal] of [
    [true, 0.25],
    [false, 0.6],
  ] as const) {
    const name = isStored ? 'kept open' : 'one connection each';
    const loads = { ours: [] as Load[], bare: [] as Load[] };
    for (let round = 0; round < ROUNDS; round++) {
      const ours = await lineLoad(whoisPort, { file, kept: isStored, from });
      from += ours.asked;
      loads.ours.push(ours);
      await lineLoad(bare.port, { file, kept: isStored, seconds: 1 });
      loads.bare.push(await lineLoad(bare.port, { file, kept: isStored }));
    }
    const ratio = median(loads.ours.map(({ perSecond }, round) => perSecond / loads.bare[round]!.perSecond));
    const wrong = loads.ours.reduce((sum, each) => sum + each.wrong, 0);
    figures.push(
      { what: `${name}: bare`, value: say(loads.bare) },
      { what: `${name}: exact and smallest enclosing`, value: say(loads.ours) },
      {
        what: '… of bare',
        value: ratio.toFixed(2),
        budget: `${goal.toFixed(2)}, no wrong answer`,
        held: ratio >= goal && wrong === 0,
      },
    );
  }
  return figures;
}

/** The set of 10,000 members as bgpq4 asks for it. */
async function setFigures({ asSet }: Region): Promise<Figure[]> {
  const whole = await timeOf(`!a4${asSet}\n`);
  const figures: Figure[] = [{ what: '!a of 10,000 members', value: `${milliseconds(whole.ms)}, ${whole.bytes} bytes` }];
  if (!(await hasBgpq4())) return [...figures, { what: 'bgpq4', value: 'not measured: the program is not on this machine' }];
  const took: number[] = [];
  let routes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    const { stdout } = await promisify(execFile)('bgpq4', ['-h', `127.0.0.1:${whoisPort}`, '-j', '-l', 'x', asSet], { maxBuffer: 1e9 });
    took.push((performance.now() - started) / 1000);
    routes = (JSON.parse(stdout) as { x: unknown[] }).x.length;
  }
  figures.push({
    what: 'bgpq4, 10,000 members',
    value: `${took.map(seconds => seconds.toFixed(2)).join(', ')} s, ${routes.toLocaleString('en')} routes`,
    budget: '3 s, 100,000 routes',
    held: median(took) < 3 && routes === 100_000,
  });
  return figures;
}

/** RDAP's look-up of an address against bare node:http with the same statement. */
async function rdapFigures(url: string, region: Region): Promise<Figure[]> {
  const asked = region.inside[0]!;
  const db = await openDatabase({ url });
  const statements = await statementsOf(async () => {
    await readBackRdap(
      { db, base: `${address}/rdap`, bootstrapDir: readConfig({}).rdapBootstrapDir, profile: readProfile('') },
      { class: 'inetnum', shown: asked },
    );
  });
  await db.close();
  const [statement] = statements;
  const loads = { ours: [] as number[], bare: [] as number[] };
  let wrong = 0;
  const options = { connections: load.connections, seconds: load.seconds };
  const bare = `http://127.0.0.1:${barePort}`;
  const environment = {
    DATABASE_URL: url,
    STATEMENT: statement!.text,
    VALUES: JSON.stringify(statement!.values),
    PORT: String(barePort),
    APP_URL: bare,
    ROLES: 'web',
  };
  await using _server = await startProgram(environment, [process.execPath, path.join(root, 'tools/bench/programs/bare-server.ts')]);
  for (let round = 0; round < ROUNDS; round++) {
    const ours = await httpLoad(`${address}/rdap/ip/${asked}`, options);
    const theirs = await httpLoad(bare, options);
    loads.ours.push(ours.perSecond);
    loads.bare.push(theirs.perSecond);
    wrong += ours.wrong + theirs.wrong;
  }
  const ratio = median(loads.ours.map((each, round) => each / loads.bare[round]!));
  const list = (of: readonly number[]): string => of.map(each => Math.round(each).toLocaleString('en')).join(', ');
  return [
    { what: 'RDAP ip', value: `${list(loads.ours)} a second, ${statements.length} statement, ${wrong} wrong` },
    { what: 'bare http and one statement', value: `${list(loads.bare)} a second` },
    { what: '… of bare', value: ratio.toFixed(2), budget: '0.50, no wrong answer', held: ratio >= 0.5 && wrong === 0 },
  ];
}

export const bench: Bench = {
  about: `whois on PostgreSQL with a whole region of ${LARGE.toLocaleString('en')} objects, one process, ${load.connections} connections: exact and smallest enclosing ranges with their contacts, against a bare line server that answers a constant of the same size; ${ROUNDS} rounds in turns, medians of ratios`,
  run: async () => {
    await using temporary = temporaryFolder();
    const { folder } = temporary;
    const { file, about } = await statisticsFile(folder);
    const figures: Figure[] = [{ what: 'data', value: about }, ...(await changeFigures(folder))];
    await using regions = await keptRegions(file);
    const rates = { copy: {} as Record<number, number>, database: {} as Record<number, number> };
    for (const objects of [SMALL, LARGE]) {
      const { url, region, kept } = await regions.region(objects);
      const seconds = `loaded in ${region.seconds.toFixed(0)} s${kept ? ', by an earlier run' : ''}`;
      figures.push({ what: `${region.objects.toLocaleString('en')} objects`, value: seconds });
      const file = queryFile(folder, `once-${objects}`, region.once);
      for (const memory of ['copy', 'database'] as const) rates[memory][objects] = await rate(url, folder, { file, memory });
      if (objects !== LARGE) continue;
      await using program = await serve(url, folder);
      figures.push({ what: 'copied into memory', value: `${program.copying.toFixed(1)} s` });
      figures.push(...(await lineFigures({ region, folder })), ...(await setFigures(region)));
      const memory = [memoryOf(program.pid, 'VmRSS'), memoryOf(program.pid, 'VmHWM')].map(bytes => Math.round((bytes ?? 0) / 1e6));
      figures.push({ what: 'memory', value: `${memory[0]} MB, ${memory[1]} MB at most` });
      figures.push(...(await rdapFigures(url, region)));
    }
    for (const [memory, what] of [
      ['copy', 'cost from 10k to 1M objects'],
      ['database', '… where the database is asked each time'],
    ] as const) {
      const { [SMALL]: few, [LARGE]: many } = rates[memory];
      const growth = few! / many!;
      figures.push({
        what,
        value: `grows ${growth.toFixed(2)}x (${Math.round(few!).toLocaleString('en')} to ${Math.round(many!).toLocaleString('en')} a second, kept open)`,
        budget: '2x',
        held: growth < 2,
      });
    }
    return figures;
  },
};
