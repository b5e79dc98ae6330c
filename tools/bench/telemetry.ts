import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { portalData } from './data/portal-data.ts';
import { type Bench, percentile } from './figures/bench.ts';
import { httpLoad } from './programs/http-load.ts';
import { address, startProgram, temporaryFolder } from './programs/program.ts';

const call = '/api/accounts';
const load = { connections: 32, seconds: 8 };
/** Turns of each, one after the other: what else the machine does comes and goes. */
const TURNS = 3;

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
  about: `traces and metrics to a collector (every request and statement of GET ${call}, 32 connections, ${TURNS} turns of 8 s each) on PostgreSQL, against the same program without`,
  run: async () => {
    await using temporary = temporaryFolder();
    await using data = await portalData(temporary.folder);
    await using collector = await sink();
    const token = await data.tokenOf('max');
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
    for (let turn = 0; turn < TURNS; turn += 1) {
      without.push(await measure({}));
      sampled.push(await measure(to));
      all.push(await measure({ ...to, OTEL_TRACES_SAMPLER_ARG: '1' }));
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
