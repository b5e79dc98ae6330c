import { MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import type { RoleServer } from '../../../platform/module.ts';
import { noteRound } from '../../../platform/periodic-work.ts';
import { inTrace } from '../../../platform/telemetry/spans.ts';
import { doRound } from '../../../platform/work-units.ts';
import { followDisabled, followFragments, openZoneBook, publishZones, type ZoneBook } from './publication.ts';

/** How often, in ms, the publisher looks at the journal of whois. */
const LOOK_EVERY_MS = 1_000;
/** Name under which the publisher records its rounds for other processes: every failure, and a success now and then. */
export const zoneRounds = 'reverseDns.publishZones';
/** How often, in ms, a success is noted. */
const NOTE_EVERY_MS = MINUTE_MS;

/** Writes reverse zones, in processes with the role `publisher`: what members changed within a second or two. */
export const zonePublisher: RoleServer = {
  role: 'publisher',
  readsFrom: 'primary',
  open: async context => {
    const { db, config, log, clock } = context;
    let notedAt = Number.NEGATIVE_INFINITY;
    const note = async (failure: string | null): Promise<void> => {
      if (failure === null && performance.now() - notedAt < NOTE_EVERY_MS) return;
      await noteRound(db, zoneRounds, { now: clock(), failure });
      notedAt = failure === null ? performance.now() : Number.NEGATIVE_INFINITY;
    };
    const counts = { publications: 0, failures: 0 };
    let book: ZoneBook | null = null;
    let running: Promise<void> | null = null;
    let stopped = false;
    const look = async (): Promise<void> => {
      const [row] = await db.read.rows<{ serial: number }>(sql`select coalesce(max(serial), 0)::bigint as serial from whois_journal`);
      if (book) {
        await followDisabled(db.read, book);
        await followFragments(db.read, book);
      }
      if (book && book.dirty.size === 0 && !book.reloadDue && book.serial >= Number(row!.serial)) return;
      const due = (book ??= await openZoneBook(db.read, context.profile));
      const published = await inTrace(
        () => ({ name: 'publication of reverse zones', kind: 'internal' }),
        () => ({}),
        () => publishZones(context, due),
      );
      counts.publications += published.length;
      // Journal lines of other classes are ignored.
      book.serial = Math.max(book.serial, Number(row!.serial));
    };
    let again = false;
    const start = (): void => {
      if (stopped) return;
      if (running) {
        again = true;
        return;
      }
      again = false;
      running = doRound(look)
        .then(
          () => null,
          (error: unknown) => {
            counts.failures++;
            log.error('publishing reverse zones failed', { error });
            return error instanceof Error ? error.message : String(error);
          },
        )
        .then(note)
        .catch((error: unknown) => log.error('noting how publishing reverse zones went failed', { error }))
        .finally(() => {
          running = null;
          if (again) start();
        });
    };
    // Whois changes are notified; omitted servers and lost notifications are found by polling.
    const stopListening = await db.listen('whois', start);
    const timer = setInterval(start, LOOK_EVERY_MS).unref();
    start();
    return {
      announcement: `Reverse zones are written to ${config.filesDir}/zones`,
      metrics: () => [
        '# TYPE rdns_publications_total counter',
        `rdns_publications_total ${counts.publications}`,
        '# TYPE rdns_publication_failures_total counter',
        `rdns_publication_failures_total ${counts.failures}`,
        '# TYPE rdns_delegations gauge',
        `rdns_delegations ${book?.entries.size ?? 0}`,
      ],
      close: async () => {
        stopped = true;
        clearInterval(timer);
        await stopListening();
        await running;
      },
    };
  },
};
