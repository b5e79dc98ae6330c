import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import { type PublicAnnouncement, publicAnnouncements } from '../announcements/index.ts';
import { outageOf } from '../../platform/database/index.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { daysWithIncidents, statesWithIncidents } from './notices.ts';
import { type DaysByService, keepOutage, readServiceDays } from './service-days.ts';
import { followWatchers, type OutsideView, outsideView, type PlaceReport } from './outside-report.ts';
import { takeReports } from './sent-reports.ts';
import { type Found, findStates, type ServiceState, statesWithoutDatabase } from './service-states.ts';

/** Everything known of the services. */
export type Look = Omit<Found, 'services'> & {
  services: ServiceState[];
  /** When the database was last read; null: never by this process. */
  readAt: string | null;
  /** Since when the database hasn’t answered; null while it does. */
  downSince: string | null;
  days: DaysByService;
  announcements: PublicAnnouncement[];
  /** As watchers on other networks see the services; null where the registry has none. */
  outside: OutsideView | null;
};

/** How long, in ms, a look may take: after that the database counts as not answering, and the page is made of what is known. */
const LOOK_MS = 3 * SECOND_MS;
/** A look this many ms old is shown to others as well. */
const FRESH_MS = 15 * SECOND_MS;
/** How often a process looks that nobody asks, so that it knows something when the database stops, and since when. */
const WATCH_MS = MINUTE_MS / 2;

/** Announcements on the status page, at most. */
const MAX_ANNOUNCEMENTS = 100;

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('timeout expired')), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Remembers what this process last knew of the services, so that the status page is there while the database isn’t. An outage that it saw is kept when it is over:
 * no one else could write it down.
 */
export function rememberLooks(context: ModuleContext) {
  const { db, clock, log } = context;
  const watchers = followWatchers(context);
  const sent = takeReports(context);
  let fetched: PlaceReport[] = [];
  let known: Pick<Look, 'feeds' | 'services' | 'days' | 'announcements'> | null = null;
  let readAt: Date | null = null;
  let triedAt: Date | null = null;
  let downSince: Date | null = null;
  let underWay: Promise<void> | null = null;

  async function look(): Promise<void> {
    const now = clock();
    triedAt = now;
    // It doesn’t ask the database, and goes on while that is down.
    const watched = watchers().then(reports => {
      fetched = reports;
    });
    try {
      const [found, days, announcements] = await within(
        LOOK_MS,
        Promise.all([
          findStates(context),
          readServiceDays(db.read, now),
          publicAnnouncements(db.read, { now, categories: ['service', 'maintenance', 'security'], limit: MAX_ANNOUNCEMENTS }),
          sent.refresh(db.read),
        ]),
      );
      known = { ...found, days, announcements };
      readAt = now;
      if (downSince !== null && downSince < now)
        await keepOutage(db, downSince, now).catch((error: unknown) => log.error('an outage could not be written down', { error }));
      downSince = null;
    } catch (error) {
      // Whatever the reason, the page can only show what was known before.
      if (outageOf(error) === null) log.error('the status of services can’t be read', { error });
      downSince ??= readAt !== null && now.getTime() - readAt.getTime() < 2 * WATCH_MS ? readAt : now;
    }
    await watched;
  }
  const lookAgain = (): Promise<void> =>
    (underWay ??= look().finally(() => {
      underWay = null;
    }));

  return {
    /** Takes a report that a watcher sends. */
    receive: (report: Parameters<typeof sent.receive>[0]) => sent.receive(report),
    /** Looks every half a minute until the returned function is called. */
    watch(): () => void {
      void lookAgain();
      const timer = setInterval(() => void lookAgain(), WATCH_MS);
      timer.unref();
      return () => clearInterval(timer);
    },
    /** Returns what is known now, at most some seconds old. It never fails. */
    async last(): Promise<Look> {
      const age = triedAt === null ? Infinity : clock().getTime() - triedAt.getTime();
      if (age > FRESH_MS || age < 0) await lookAgain();
      const announcements = known?.announcements ?? [];
      return {
        feeds: known?.feeds ?? [],
        days: daysWithIncidents(known?.days ?? new Map(), { announcements }, clock()),
        announcements,
        services: statesWithIncidents(downSince === null && known ? known.services : statesWithoutDatabase(), { announcements }, clock()),
        readAt: readAt?.toISOString() ?? null,
        downSince: downSince?.toISOString() ?? null,
        outside: outsideView({ config: context.config, now: clock() }, fetched, sent.reports()),
      };
    },
  };
}
