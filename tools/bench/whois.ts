import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { migrate, openDatabase } from '../../apps/server/src/platform/database/index.ts';
import { throwawayPostgres } from '../../apps/server/test/throwaway-postgres.ts';
import { root } from '../root.ts';
import { type Bench, type Figure, milliseconds } from './bench.ts';
import { memoryOf, startProgram, temporaryFolder } from './program.ts';
import { statisticsFile } from './statistics.ts';
import { loadRegion, type Region } from './whois-region.ts';

type Load = { perSecond: number; p50: number; p99: number; size: number; wrong: number };

const whoisPort = Number(process.env.BENCH_WHOIS_PORT ?? 47_261);
const barePort = whoisPort + 1;
const load = { connections: 32, seconds: 6 };
const LARGE = 1_000_000;
const SMALL = 10_000;

/** Queries over kept-open connections, or one connection each, from a process of its own. */
async function lineLoad(port: number, queries: string, kept: boolean, seconds = load.seconds): Promise<Load> {
  const environment = {
    PORT: String(port),
    QUERIES: queries,
    CONNECTIONS: String(load.connections),
    SECONDS: String(seconds),
    KEPT: kept ? 'yes' : 'no',
  };
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(root, 'tools/bench/line-load.ts')], {
    env: { ...process.env, ...environment },
  });
  return JSON.parse(stdout) as Load;
}

/** The bare server, answering with so many bytes. */
async function bareServer(size: number): Promise<AsyncDisposable> {
  const child = spawn(process.execPath, [path.join(root, 'tools/bench/bare-line-server.ts')], {
    env: { ...process.env, PORT: String(barePort), SIZE: String(size) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return {
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

/** The profile of a registry in which nobody is refused for asking much. */
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

export const bench: Bench = {
  about: `port 43 on PostgreSQL with a whole region of ${LARGE.toLocaleString('en')} objects, one process, ${load.connections} connections: exact and smallest enclosing ranges with their contacts, against a bare line server that answers a constant of the same size`,
  run: async () => {
    await using temporary = temporaryFolder();
    const { folder } = temporary;
    const { server, reason } = await throwawayPostgres();
    if (!server) throw new Error(`this needs PostgreSQL: ${reason}`);
    const { file, about } = await statisticsFile(folder);
    const figures: Figure[] = [{ what: 'data', value: about }];
    const profile = profileFile(folder);
    const kept: Record<number, Load> = {};

    for (const objects of [SMALL, LARGE]) {
      const database = await server.createDatabase();
      try {
        const db = await openDatabase({ url: database.url });
        await migrate(db);
        await db.close();
        const region: Region = await loadRegion(database.url, file, objects);
        const size = region.objects.toLocaleString('en');
        figures.push({ what: `${size} objects`, value: `loaded in ${region.seconds.toFixed(0)} s` });
        const queries = queryFile(folder, `queries-${objects}`, [...region.exact, ...region.inside]);
        const environment = {
          DATA_DIR: folder,
          DATABASE_URL: database.url,
          DEMO: 'off',
          // The web role says when the process is ready.
          ROLES: 'web,whois',
          WHOIS_PORT: String(whoisPort),
          REGISTRY_PROFILE: profile,
        };
        await using program = await startProgram(environment);
        await lineLoad(whoisPort, queries, true, 3);
        const ours = await lineLoad(whoisPort, queries, true);
        kept[objects] = ours;
        const say = ({ perSecond, p50, p99, size: bytes, wrong }: Load): string =>
          `${Math.round(perSecond).toLocaleString('en')} a second, p50 ${milliseconds(p50)}, p99 ${milliseconds(p99)}, ${Math.round(bytes)} bytes, ${wrong} wrong`;
        figures.push({ what: `${size} objects, kept open`, value: say(ours) });
        if (objects !== LARGE) continue;

        const once = await lineLoad(whoisPort, queries, false);
        figures.push({ what: `${size} objects, one connection each`, value: say(once) });
        await using _bare = await bareServer(Math.round(ours.size));
        for (const [name, measured, isKept, goal] of [
          ['kept open', ours, true, 0.25],
          ['one connection each', once, false, 0.6],
        ] as const) {
          await lineLoad(barePort, queries, isKept, 2);
          const bare = await lineLoad(barePort, queries, isKept);
          const ratio = measured.perSecond / bare.perSecond;
          figures.push(
            { what: `bare, ${name}`, value: say(bare) },
            {
              what: `of bare, ${name}`,
              value: ratio.toFixed(2),
              budget: `${goal.toFixed(2)}, no wrong answer`,
              held: ratio >= goal && measured.wrong === 0,
            },
          );
        }
        const whole = await timeOf(`!a4${region.asSet}\n`);
        figures.push({ what: '!a of 10,000 members', value: `${milliseconds(whole.ms)}, ${whole.bytes} bytes` });
        if (await hasBgpq4()) {
          const started = performance.now();
          const { stdout } = await promisify(execFile)('bgpq4', ['-h', `127.0.0.1:${whoisPort}`, '-j', '-l', 'x', region.asSet], {
            maxBuffer: 1e9,
          });
          const seconds = (performance.now() - started) / 1000;
          const { x } = JSON.parse(stdout) as { x: unknown[] };
          figures.push({
            what: 'bgpq4, 10,000 members',
            value: `${seconds.toFixed(2)} s, ${x.length.toLocaleString('en')} routes`,
            budget: '3 s, 100,000 routes',
            held: seconds <= 3 && x.length === 100_000,
          });
        } else figures.push({ what: 'bgpq4', value: 'not measured: the program is not on this machine' });
        figures.push({ what: 'memory', value: `${Math.round((memoryOf(program.pid, 'VmHWM') ?? 0) / 1e6)} MB at most` });
      } finally {
        await database.drop();
      }
    }
    const growth = kept[SMALL]!.perSecond / kept[LARGE]!.perSecond;
    figures.push({ what: 'cost from 10k to 1M', value: `grows ${growth.toFixed(2)}x`, budget: '2x', held: growth < 2 });
    return figures;
  },
};
