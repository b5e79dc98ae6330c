import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { readConfig } from '../../apps/server/src/config.ts';
import { mintToken } from '../../apps/server/src/modules/identity/index.ts';
import { openDatabase } from '../../apps/server/src/platform/database/index.ts';
import { throwawayPostgres } from '../../apps/server/test/database/throwaway-postgres.ts';
import { type Bench, percentile } from './figures/bench.ts';
import { httpLoad } from './programs/http-load.ts';
import { address, port, runCommand, startProgram, temporaryFolder } from './programs/program.ts';

const call = '/api/accounts';
const load = { connections: 32, seconds: 6 };
/** Turns of each: processes of the same program differ by a tenth, and more turns even that out. Who comes first changes, because the first one finds a colder database. */
const TURNS = 8;

/** Takes what is sent and forgets it, so that the collector costs as little as possible. */
async function sink() {
  let bytes = 0;
  const server = http.createServer((request, response) => {
    request
      .on('data', (chunk: Buffer) => (bytes += chunk.length))
      .on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: () => bytes,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Makes a database with the demo registry. Returns the settings of a program that serves it, and a token of a person. */
async function demoData(folder: string) {
  const { server, reason } = await throwawayPostgres();
  if (!server) throw new Error(`this needs PostgreSQL: ${reason}`);
  const database = await server.createDatabase();
  const environment = { DATA_DIR: folder, DATABASE_URL: database.url };
  await runCommand(['migrate'], environment);
  await runCommand(['demo', 'load'], environment);
  const config = readConfig({ ...process.env, PORT: String(port), APP_URL: address, DEMO: 'on', ...environment });
  const db = await openDatabase({ url: database.url });
  const token = await mintToken(db, config, 'max', { mfa: true });
  await db.close();
  return { environment, token, [Symbol.asyncDispose]: () => database.drop() };
}

/** Processor time of a process so far, in hundredths of a second; null where the system does not say. */
function ticksOf(pid: number): number | null {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13);
    return Number(user) + Number(system);
  } catch {
    return null;
  }
}

export const bench: Bench = {
  about: `traces and metrics to a collector (every request and statement of GET ${call}, 32 connections, ${TURNS} turns of ${load.seconds} s each) on the demo registry and PostgreSQL, against the same program without`,
  run: async () => {
    await using temporary = temporaryFolder();
    await using data = await demoData(temporary.folder);
    await using collector = await sink();
    const { token } = data;
    const measure = async (environment: Record<string, string>) => {
      await using program = await startProgram({ ...data.environment, ...environment });
      await httpLoad(`${address}${call}`, { ...load, seconds: 2, token });
      const before = ticksOf(program.pid);
      const { perSecond, wrong } = await httpLoad(`${address}${call}`, { ...load, token });
      const after = ticksOf(program.pid);
      return {
        perSecond,
        wrong,
        microseconds: before === null || after === null ? Number.NaN : ((after - before) * 10_000) / (perSecond * load.seconds),
      };
    };
    const [without, sampled, all]: [
      Awaited<ReturnType<typeof measure>>[],
      Awaited<ReturnType<typeof measure>>[],
      Awaited<ReturnType<typeof measure>>[],
    ] = [[], [], []];
    const to = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const kinds = [
      { turns: without, environment: {} },
      { turns: sampled, environment: to },
      { turns: all, environment: { ...to, OTEL_TRACES_SAMPLER_ARG: '1' } },
    ];
    for (let turn = 0; turn < TURNS; turn += 1)
      for (let place = 0; place < kinds.length; place += 1) {
        const { turns, environment } = kinds[(turn + place) % kinds.length]!;
        turns.push(await measure(environment));
      }
    const median = (turns: typeof without, of: 'perSecond' | 'microseconds'): number =>
      percentile(
        turns.map(turn => turn[of]),
        0.5,
      );
    const about = (turns: typeof without): string =>
      `${Math.round(median(turns, 'perSecond'))} a second, ${Math.round(median(turns, 'microseconds'))} µs of processor time each`;
    const ratio = (turns: typeof without): number => median(turns, 'perSecond') / median(without, 'perSecond');
    const wrong = [...without, ...sampled, ...all].reduce((sum, turn) => sum + turn.wrong, 0);
    return [
      { what: 'without', value: about(without) },
      { what: 'as set by default', value: about(sampled) },
      { what: 'every trace', value: about(all) },
      { what: 'sent', value: `${(collector.bytes() / 1e6).toFixed(1)} MB`, held: collector.bytes() > 0, budget: 'something' },
      {
        what: 'by default, of without',
        value: `${ratio(sampled).toFixed(2)}, ${wrong} wrong`,
        budget: '0.95, no wrong answer',
        held: ratio(sampled) >= 0.95 && wrong === 0,
      },
      { what: 'every trace, of without', value: ratio(all).toFixed(2) },
    ];
  },
};
