import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { SECOND_MS } from '@portal/contract/days';
import { machine } from '../../machine.ts';

/** One measured number, as text with its unit; `held` says whether its budget was kept. */
export type Figure = { what: string; value: string; budget?: string; held?: boolean };
/** A benchmark: what it measures and on what, and its figures. */
export type Bench = { about: string; run(): Promise<Figure[]> };

/** Describes the machine: without it the figures mean nothing. */
export async function describeMachine(): Promise<string[]> {
  const [processor] = os.cpus();
  const commit = (() => {
    try {
      return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
      return 'no commit';
    }
  })();
  const used = (await machine()).filter(({ name, found }) => found && (name === 'PostgreSQL' || name === 'Chromium'));
  return [
    `${processor?.model.trim() ?? 'unknown processor'}, ${os.cpus().length} processors, ${Math.round(os.totalmem() / 1e9)} GB, ${os.type()} ${os.release()}, load ${os.loadavg()[0]!.toFixed(1)}`,
    `Node ${process.version}, ${used.map(({ name, found }) => (found!.startsWith(name) ? found : `${name} ${found}`)).join(', ')}, ${commit}`,
  ];
}

export function print(name: string, { about }: Bench, figures: readonly Figure[]): void {
  console.log(`\n${name}: ${about}`);
  const width = Math.max(...figures.map(({ what }) => what.length));
  for (const { what, value, budget, held } of figures)
    console.log(
      `  ${what.padEnd(width)}  ${value}${budget ? `  (budget ${budget}${held === undefined ? '' : held ? ', held' : ', NOT HELD'})` : ''}`,
    );
}

export const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ms`;
export const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`;
export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

/** The value that this share of the sorted measurements stay below. */
export function percentile(measurements: readonly number[], share: number): number {
  const sorted = [...measurements].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Runs `work` concurrently from so many workers for a while, and returns how long each call took, in ms, and how many there were a second. */
export async function load(work: (worker: number) => Promise<unknown>, { workers, seconds }: { workers: number; seconds: number }) {
  const took: number[] = [];
  const started = performance.now();
  const end = started + seconds * SECOND_MS;
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      while (performance.now() < end) {
        const from = performance.now();
        await work(worker);
        took.push(performance.now() - from);
      }
    }),
  );
  return { took, perSecond: took.length / ((performance.now() - started) / 1000) };
}
