import { SECOND_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { outageOf, type Read } from '../../platform/database/index.ts';
import type { ModuleContext } from '../../platform/module.ts';
import type { OutsideReport } from './outside-checks.ts';
import { type PlaceReport, readReport } from './outside-report.ts';
import { tokenHashIn } from './watcher-tokens.ts';

/** A watcher reports every minute; more often than this, in ms, is refused. */
const OFTEN_MS = 5 * SECOND_MS;
/** How often a process asks the database about a token that it doesn’t know, in ms. */
const UNKNOWN_MS = SECOND_MS;

type Known = { watcherId: string; hash: string; place: string; report: OutsideReport | null; receivedAt: string | null };

/** The answer to a report: kept in the database, or while that doesn’t answer, by this process; or why not. */
export type Received = 'stored' | 'remembered' | 'unknown' | 'wrong' | 'too often';

/** Reads the watchers whose tokens work, with the newest report of each. */
const readKnown = (read: Pick<Read, 'rows'>): Promise<Known[]> =>
  read.rows<Known>(sql`
    select w.watcher_id::text as watcher_id, encode(w.token_hash, 'hex') as hash, w.place, r.report, r.received_at
    from watcher w left join watcher_report r using (watcher_id) where w.revoked_at is null order by w.watcher_id`);

/** Reads the newest report of each watcher that sends its reports. */
export const readSentReports = async (read: Pick<Read, 'rows'>): Promise<PlaceReport[]> =>
  (await readKnown(read)).map(({ place, report }) => ({ place, report }));

/**
 * Takes reports of watchers. What a process last knew of watchers stays while the database doesn’t answer, so that they are shown, and recognised by their tokens, even then.
 */
export function takeReports({ db, clock }: Pick<ModuleContext, 'db' | 'clock'>) {
  let known: Known[] = [];
  let askedAt = -Infinity;
  const find = (hash: string): Known | undefined => known.find(each => each.hash === hash);

  async function refresh(read: Pick<Read, 'rows'>): Promise<void> {
    const rows = await readKnown(read);
    // A report that came while the database didn’t answer is newer than the one stored.
    known = rows.map(row => {
      const before = find(row.hash)?.report ?? null;
      return before !== null && (row.report === null || before.at > row.report.at) ? { ...row, report: before } : row;
    });
  }

  async function watcherOf(hash: string, now: number): Promise<Known | undefined> {
    const found = find(hash);
    // Strangers who guess tokens cost a question a second at most.
    if (found || Math.abs(now - askedAt) < UNKNOWN_MS) return found;
    askedAt = now;
    await refresh(db.read);
    return find(hash);
  }

  return {
    refresh,
    /** The newest reports that this process knows. */
    reports: (): PlaceReport[] => known.map(({ place, report }) => ({ place, report })),
    /** Takes a report. @param text as it was sent */
    async receive({
      authorization,
      text,
      address,
    }: {
      authorization: string | undefined;
      text: string;
      address: string;
    }): Promise<Received> {
      const now = clock();
      const hash = tokenHashIn(authorization)?.toString('hex');
      if (hash === undefined) return 'unknown';
      let watcher: Known | undefined;
      try {
        watcher = await watcherOf(hash, now.getTime());
      } catch (error) {
        if (outageOf(error) === null) throw error;
      }
      if (!watcher) return 'unknown';
      const since = watcher.receivedAt === null ? Infinity : now.getTime() - Date.parse(watcher.receivedAt);
      if (since >= 0 && since < OFTEN_MS) return 'too often';
      const report = readReport(text, now);
      if (report === null) return 'wrong';
      const { watcherId } = watcher;
      const receivedAt = now.toISOString();
      const remember = (): void => {
        known = known.map(each => (each.watcherId === watcherId ? { ...each, report, receivedAt } : each));
      };
      try {
        // A token that was revoked a moment ago stores nothing.
        const { rows } = await sql`insert into watcher_report as r (watcher_id, report, received_at, sent_from)
          select watcher_id, ${JSON.stringify(report)}::jsonb, ${receivedAt}::timestamptz, ${address}::inet from watcher
            where watcher_id = ${watcherId}::bigint and revoked_at is null
          on conflict (watcher_id) do update set report = excluded.report, received_at = excluded.received_at, sent_from = excluded.sent_from
          returning 1`.execute(db.unrecorded);
        if (rows.length > 0) {
          remember();
          return 'stored';
        }
        known = known.filter(each => each.watcherId !== watcherId);
        return 'unknown';
      } catch (error) {
        if (outageOf(error) === null) throw error;
        remember();
        return 'remembered';
      }
    },
  };
}
