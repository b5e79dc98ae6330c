import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { root } from '../../root.ts';

/** Latencies in ms; throughput in answers a second. */
export type Load = { perSecond: number; p50: number; p99: number; wrong: number };

type Report = { requests: { average: number }; latency: { p50: number; p99: number }; non2xx: number; errors: number };

/** Puts load on one address from a separate process: as much as it answers, or so many calls a second. */
export async function httpLoad(
  url: string,
  { token, connections, seconds, perSecond }: { token?: string; connections: number; seconds: number; perSecond?: number },
): Promise<Load> {
  const program = path.join(root, 'node_modules/autocannon/autocannon.js');
  const headers = token ? ['-H', `authorization=Bearer ${token}`] : [];
  const args = [
    program,
    '--json',
    '--no-progress',
    '-c',
    String(connections),
    '-d',
    String(seconds),
    ...(perSecond === undefined ? [] : ['-R', String(perSecond)]),
    ...headers,
    url,
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  const { requests, latency, non2xx, errors } = JSON.parse(output) as Report;
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99, wrong: non2xx + errors };
}
