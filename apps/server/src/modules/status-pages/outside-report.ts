import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import * as z from 'zod/mini';
import type { ModuleContext } from '../../platform/module.ts';
import { boundedText, type OutsideCheck, type OutsideName, outsideNames, type OutsideReport } from './outside-checks.ts';

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
      service: z.enum(outsideNames as [OutsideName]),
      state: z.enum(['working', 'late', 'down']),
      milliseconds: z.number(),
      note: z.string().check(z.maxLength(300)),
    }),
  ),
});

/** The newest report of one watcher; null where none is known. */
export type PlaceReport = { place: string | null; report: OutsideReport | null };

/** The newest report of one watcher that a process read. Its place is null where it is the only one and has no name. */
export type OutsidePlace = { place: string | null; report: OutsideReport | null; isCurrent: boolean };

/** Reports of all watchers, and what most of those that report lately agree on. */
export type OutsideView = {
  places: OutsidePlace[];
  /** Some watcher reports. */
  isCurrent: boolean;
  /** When one reported last; null: none did yet. */
  seenAt: string | null;
  checks: OutsideCheck[];
};

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

/** The state that more than half of the watchers saw, and what the others, or all, found wrong. */
function agreedOn(service: OutsideName, seen: readonly { place: string | null; check: OutsideCheck }[]): OutsideCheck {
  const most = (some: readonly OutsideCheck['state'][]): boolean =>
    seen.filter(({ check }) => some.includes(check.state)).length * 2 > seen.length;
  const answered = seen.flatMap(({ check }) => (check.state === 'down' ? [] : [check.milliseconds])).toSorted((a, b) => a - b);
  return {
    service,
    state: most(['down']) ? 'down' : most(['down', 'late']) ? 'late' : 'working',
    milliseconds: answered[Math.floor((answered.length - 1) / 2)] ?? 0,
    note: seen
      .filter(({ check }) => check.note !== '')
      .map(({ place, check }) => (place === null ? check.note : `${place}: ${check.note}`))
      .join(' '),
  };
}

/** Puts reports of watchers together: those that are too old count for nothing. */
export function viewOf(reports: readonly PlaceReport[], now: Date): OutsideView {
  const places = reports.map(({ place, report }) => ({ place, report, isCurrent: isCurrent(report, now) }));
  const current = places.filter(each => each.isCurrent);
  return {
    places,
    isCurrent: current.length > 0,
    seenAt: places.reduce<string | null>(
      (newest, { report }) => (report && (newest === null || report.at > newest) ? report.at : newest),
      null,
    ),
    checks: outsideNames.flatMap(service => {
      const seen = current.flatMap(({ place, report }) => {
        const check = report!.checks.find(each => each.service === service);
        return check ? [{ place, check }] : [];
      });
      return seen.length > 0 ? [agreedOn(service, seen)] : [];
    }),
  };
}

/** Returns the key of a watcher: the one after its name, or the only one for all. */
export function keyOf(watchKey: string, place: string | null, places: readonly (string | null)[]): string {
  const parts = watchKey.split(';').map(part => part.trim());
  const named = (name: string | null): string | undefined => parts.find(part => name !== null && part.startsWith(`${name}=`));
  if (!places.some(each => named(each) !== undefined)) return watchKey;
  return named(place)?.slice(place!.length + 1) ?? '';
}

/** Fetches the report of a watcher; null where it can’t be read. */
async function fetchReport(url: string, key: string, now: Date): Promise<OutsideReport | null> {
  try {
    const answer = await fetch(url, {
      headers: { accept: 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      signal: AbortSignal.timeout(READ_MS),
      redirect: 'manual',
    });
    return answer.ok ? readReport(await boundedText(answer, MAX_BYTES), now) : null;
  } catch {
    return null;
  }
}

/** Places of the watchers whose reports are fetched, as the status page names them; the only one without a name is named by its host. */
export const placesOf = ({ watchers }: Pick<ModuleContext['config'], 'watchers'>): string[] =>
  watchers.map(({ place, url }) => place ?? new URL(url).hostname);

/** Puts fetched and sent reports together; null where no one watches. The only watcher has no name where its report is fetched, as before there were several. */
export function outsideView(
  { config, now }: { config: Pick<ModuleContext['config'], 'watchers'>; now: Date },
  fetched: readonly PlaceReport[],
  sent: readonly PlaceReport[],
): OutsideView | null {
  if (fetched.length + sent.length === 0) return null;
  const places = placesOf(config);
  return viewOf([...(sent.length === 0 ? fetched : fetched.map((each, index) => ({ ...each, place: places[index]! }))), ...sent], now);
}

/** Returns a function that fetches the newest reports of the watchers of the settings. It needs no database, and never fails. */
export function followWatchers({ config, clock }: Pick<ModuleContext, 'config' | 'clock'>): () => Promise<PlaceReport[]> {
  const names = config.watchers.map(({ place }) => place);
  const known: (OutsideReport | null)[] = config.watchers.map(() => null);
  let triedAt = -Infinity;
  return async () => {
    if (names.length === 0) return [];
    const now = clock();
    if (now.getTime() - triedAt > AGAIN_MS || now.getTime() < triedAt) {
      triedAt = now.getTime();
      await Promise.all(
        config.watchers.map(async ({ place, url }, index) => {
          const read = await fetchReport(url, keyOf(config.watchKey, place, names), now);
          const before = known[index];
          // An older copy, from a cache, says less than what is known.
          if (read && (!before || read.at > before.at)) known[index] = read;
        }),
      );
    }
    return names.map((place, index) => ({ place, report: known[index]! }));
  };
}
