import { MINUTE_MS } from '@portal/contract/days';
import { isInFuture } from './clock-watch.ts';
import type { Feed, Module, ModuleContext } from './module.ts';
import { lastRound } from './periodic-work.ts';

/** State of a feed: `most` in minutes, null where its age is not watched. */
export type FeedState = Pick<Feed, 'name' | 'title' | 'role'> & {
  asOf: string | null;
  ageMs: number | null;
  most: number | null;
  late: boolean;
};

/** The name under which `registry backup` records that it wrote a backup. */
export const backupRounds = 'platform.backup';
/** Backups by `registry backup`. Those made with PostgreSQL's own tools are not known here. */
const backupFeed: Feed = {
  name: 'backups',
  title: 'Backups',
  role: 'worker',
  usual: () => 0,
  asOf: async ({ db }) => (await lastRound(db.read, backupRounds))?.succeededAt ?? null,
};

/** Returns all feeds there are. */
export const feedsOf = (modules: readonly Module[]): Feed[] => [...modules.flatMap(({ feeds }) => feeds ?? []), backupFeed];

/**
 * Returns the age of each feed. One that was never made is not late: the work that should make it reports that. One that was made in the future is: a clock
 * was wrong, and its age is unknown.
 */
export const statesOfFeeds = (context: ModuleContext): Promise<FeedState[]> =>
  Promise.all(
    feedsOf(context.modules).map(async ({ name, title, role, usual, asOf: ask }) => {
      const asOf = await ask(context);
      const now = context.clock();
      const ageMs = asOf === null ? null : Math.max(0, now.getTime() - Date.parse(asOf));
      const most = (context.config.feedMinutes[name] ?? usual(context.config)) || null;
      return {
        name,
        title,
        role,
        asOf,
        ageMs,
        most,
        late: asOf !== null && most !== null && (ageMs! > most * MINUTE_MS || isInFuture(asOf, now)),
      };
    }),
  );

/** Returns what /readyz says of a feed that is late. */
export const feedInWords = ({ title, ageMs, most, asOf }: FeedState): string =>
  ageMs === 0
    ? `${title}: as of ${asOf}, which is in the future: a clock was wrong when it was made, or is now`
    : `${title}: ${Math.floor(ageMs! / MINUTE_MS)} minutes old, ${most} at most, as of ${asOf}`;

/** Returns the lines for /metrics: the age of each feed, how old it may be where that is watched, and whether it is older. */
export const metricsOfFeeds = (states: readonly FeedState[]): string[] => [
  '# TYPE feed_age_seconds gauge',
  ...states.flatMap(({ name, ageMs }) => (ageMs === null ? [] : [`feed_age_seconds{feed="${name}"} ${Math.round(ageMs / 1000)}`])),
  '# TYPE feed_most_seconds gauge',
  ...states.flatMap(({ name, most }) => (most === null ? [] : [`feed_most_seconds{feed="${name}"} ${most * 60}`])),
  '# TYPE feed_late gauge',
  ...states.map(({ name, late }) => `feed_late{feed="${name}"} ${late ? 1 : 0}`),
];
