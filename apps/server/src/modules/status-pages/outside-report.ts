import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import * as z from 'zod/mini';
import type { ModuleContext } from '../../platform/module.ts';
import { boundedText, outsideNames, type OutsideReport } from './outside-checks.ts';

/** A report this many ms old is no longer the state of anything: the watcher stopped, or it can’t be read. */
const CURRENT_MS = 5 * MINUTE_MS;
/** How long reading it may take, and how often a process reads it, in ms. */
const READ_MS = 2 * SECOND_MS;
const AGAIN_MS = 20 * SECOND_MS;
const MAX_BYTES = 100_000;

const reportShape = z.object({
  version: z.literal(1),
  at: z.iso.datetime(),
  checks: z.array(
    z.object({
      service: z.enum(outsideNames as [OutsideReport['checks'][number]['service']]),
      state: z.enum(['working', 'late', 'down']),
      milliseconds: z.number(),
      note: z.string().check(z.maxLength(300)),
    }),
  ),
});

/** The newest report that a process read. */
export type OutsideView = { report: OutsideReport | null; isCurrent: boolean };

/** Reads a report as the watcher wrote it; null for anything else, and for one of the future. */
export function readReport(text: string, now: Date): OutsideReport | null {
  try {
    const parsed = z.safeParse(reportShape, JSON.parse(text));
    return parsed.success && Date.parse(parsed.data.at) <= now.getTime() + MINUTE_MS ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Whether a report still says how things are. */
export const isCurrent = (report: OutsideReport | null, now: Date): boolean =>
  report !== null && now.getTime() - Date.parse(report.at) < CURRENT_MS;

/** Fetches the report of a watcher; null where it can’t be read. */
async function fetchReport(
  { watchUrl, watchKey }: Pick<ModuleContext['config'], 'watchUrl' | 'watchKey'>,
  now: Date,
): Promise<OutsideReport | null> {
  try {
    const answer = await fetch(watchUrl, {
      headers: { accept: 'application/json', ...(watchKey && { authorization: `Bearer ${watchKey}` }) },
      signal: AbortSignal.timeout(READ_MS),
      redirect: 'manual',
    });
    return answer.ok ? readReport(await boundedText(answer, MAX_BYTES), now) : null;
  } catch {
    return null;
  }
}

/** Returns a function that gives the newest report of the watcher, and null where the registry has no watcher. It needs no database, and never fails. */
export function followWatcher({ config, clock }: Pick<ModuleContext, 'config' | 'clock'>): () => Promise<OutsideView | null> {
  let known: OutsideReport | null = null;
  let triedAt = -Infinity;
  return async () => {
    if (config.watchUrl === '') return null;
    const now = clock();
    if (now.getTime() - triedAt > AGAIN_MS || now.getTime() < triedAt) {
      triedAt = now.getTime();
      const read = await fetchReport(config, now);
      // An older copy, from a cache, says less than what is known.
      if (read && (!known || read.at > known.at)) known = read;
    }
    return { report: known, isCurrent: isCurrent(known, now) };
  };
}
