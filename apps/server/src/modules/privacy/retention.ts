import { DAY_MS, instantBefore, utcDay } from '@portal/contract/days';
import { type Change, type JsonValue, ownActivity } from '../../platform/database/index.ts';
import { eachAttempted, type RowFailure, RowsFailed } from '../../platform/each-alone.ts';
import type { ModuleContext } from '../../platform/module.ts';
import type { Retention } from '../../profile.ts';
import { type Ending, type EndingKindRows, endingKinds, endRows, isLargePart, readAccountTables, ruleOf } from './ending-rows.ts';
import { notePeriods, type Period, problemOfClock, readPeriods, settleLargePart, settlePeriod } from './periods.ts';

/** The most rows of a table that one run deletes, so that nothing waits long for it. */
export const ROWS_PER_RUN = 500;

/** Returns the instant before which a period of months began; at a month's end the last day of the month counts. */
export const monthsBefore = (now: Date, months: number): string => monthsAfter(now, -months);
/** Returns the instant that is so many months later, on the last day of a month that is shorter. */
export function monthsAfter(from: Date, months: number): string {
  const then = new Date(from);
  then.setUTCDate(1);
  then.setUTCMonth(then.getUTCMonth() + months);
  const last = new Date(Date.UTC(then.getUTCFullYear(), then.getUTCMonth() + 1, 0)).getUTCDate();
  then.setUTCDate(Math.min(from.getUTCDate(), last));
  return then.toISOString();
}

type Looked = Pick<ModuleContext, 'modules' | 'clock'>;

/** Returns what ends of a kind after so many months, as of now. */
export const endingsOf = (
  { over }: EndingKindRows,
  months: number,
  { modules, clock, accounts }: Looked & { accounts: ReadonlySet<string> },
): Ending[] => over.map(rows => ({ table: rows.table, rule: ruleOf(modules, rows, accounts), before: monthsBefore(clock(), months) }));

type SettledKind = { kind: EndingKindRows; period: Period; endings: Ending[] };

/** Returns each kind with the period that counts now, and notes those that changed. */
async function settleKinds({ db, modules, profile, clock }: ModuleContext): Promise<SettledKind[]> {
  const accounts = await readAccountTables(db.read);
  const was = await readPeriods(db.read);
  const now = clock().toISOString();
  const settled = await Promise.all(
    endingKinds(modules).map(async kind => {
      const period = settlePeriod(was.get(kind.period), { kind: kind.period, months: profile.retention[kind.period], now });
      const endings = endingsOf(kind, period.months, { modules, clock, accounts });
      const parts = await Promise.all(endings.map(ending => isLargePart(db.read, ending)));
      return { kind, endings, period: settleLargePart(period, parts.includes(true), now) };
    }),
  );
  await notePeriods(
    db,
    was,
    settled.map(({ period }) => period),
  );
  return settled;
}

/** Rolls a run back that found nothing, so that it leaves no line in the log. */
class NothingIsOver extends Error {}

/** When a run last found nothing more to delete: the next one is a day later. */
type Noted = { doneAt: string };

/**
 * Deletes personal data whose time is over, at most so many rows of each table in one change with one line in the log; what is left, with the next run. A row that fails doesn't stop the others.
 * A kind of which a large part would end waits for two people; with a wrong clock nothing is deleted.
 * @throws {RowsFailed} after the change, naming the rows that failed
 */
export async function endWhatIsOver(context: ModuleContext, noted: JsonValue | null): Promise<JsonValue | null> {
  const { db, clock, log } = context;
  const last = noted as Noted | null;
  const now = clock();
  // A day from a clock that was wrong doesn't hold it up.
  if (last !== null && last.doneAt <= now.toISOString() && last.doneAt > instantBefore(now, DAY_MS)) return noted!;
  const problem = await problemOfClock(db.read, now);
  if (problem !== null) {
    log.error(problem);
    return noted;
  }
  const endings = (await settleKinds(context)).flatMap(({ kind, period, endings: of }) =>
    period.waitsSince === null ? of.map(ending => ({ kind, ending })) : [],
  );
  let failures: RowFailure[] = [];
  let stuck: RowFailure[] = [];
  let isWhole = true;
  let ended = new Map<keyof Retention, number>();
  const look = async (change: Change): Promise<void> => {
    ended = new Map();
    isWhole = true;
    stuck = [];
    failures = await eachAttempted(
      change,
      endings,
      ({ ending }) => ending.table,
      async ({ kind, ending }) => {
        const { done, failed } = await endRows(change, ending, ROWS_PER_RUN);
        if (done > 0) ended.set(kind.period, (ended.get(kind.period) ?? 0) + done);
        if (done === ROWS_PER_RUN) isWhole = false;
        stuck.push(...failed.map(({ id, why }) => ({ row: `${ending.table} ${id}`, error: new Error(why) })));
      },
    );
    if (ended.size === 0) throw new NothingIsOver();
    for (const [kind, rows] of ended)
      await change
        .insertInto('endedData')
        .values({ kind, day: utcDay(change.now), rows })
        .onConflict(again => again.columns(['kind', 'day']).doUpdateSet(eb => ({ rows: eb('endedData.rows', '+', rows) })))
        .execute();
    await change.note({ ended: Object.fromEntries(ended) });
  };
  try {
    await db.change(ownActivity('privacy.endWhatIsOver', 'Deleted personal data whose time was over'), look);
  } catch (error) {
    if (!(error instanceof NothingIsOver)) throw error;
  }
  const all = [...failures, ...stuck];
  if (all.length > 0) throw new RowsFailed(all);
  return isWhole ? ({ doneAt: now.toISOString() } satisfies Noted) : null;
}
