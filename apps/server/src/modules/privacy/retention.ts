import { DAY_MS, instantBefore, utcDay } from '@portal/contract/days';
import { type Change, type JsonValue, ownActivity } from '../../platform/database/index.ts';
import { eachAttempted, type RowFailure, RowsFailed } from '../../platform/each-alone.ts';
import type { EndingData } from '../../platform/kept-data.ts';
import type { ModuleContext } from '../../platform/module.ts';
import type { Retention } from '../../profile.ts';
import { type Ending, endingKinds, endRows, readAccountTables, ruleOf } from './ending-rows.ts';

/** The most rows of a table that one run deletes, so that nothing waits long for it. */
export const ROWS_PER_RUN = 500;

/** Returns the instant before which a period of months began; at a month's end the last day of the month counts. */
export function monthsBefore(now: Date, months: number): string {
  const then = new Date(now);
  then.setUTCDate(1);
  then.setUTCMonth(then.getUTCMonth() - months);
  const last = new Date(Date.UTC(then.getUTCFullYear(), then.getUTCMonth() + 1, 0)).getUTCDate();
  then.setUTCDate(Math.min(now.getUTCDate(), last));
  return then.toISOString();
}

type Looked = Pick<ModuleContext, 'modules' | 'profile' | 'clock'>;

/** Returns what ends of a kind, as of now. */
export const endingsOf = (kind: EndingData, { modules, profile, clock }: Looked, accounts: ReadonlySet<string>): Ending[] =>
  kind.over.map(rows => ({
    table: rows.table,
    rule: ruleOf(modules, rows, accounts),
    before: monthsBefore(clock(), profile.retention[kind.ends]),
  }));

/** Rolls a run back that found nothing, so that it leaves no line in the log. */
class NothingIsOver extends Error {}

/** When a run last found nothing more to delete: the next one is a day later. */
type Noted = { doneAt: string };

/**
 * Deletes personal data whose time is over, at most so many rows of each table in one change with one line in the log; what is left, with the next run. A table that fails doesn't stop the others.
 * @throws {RowsFailed} after the change, naming the tables that failed
 */
export async function endWhatIsOver(context: ModuleContext, noted: JsonValue | null): Promise<JsonValue> {
  const { db, modules, clock } = context;
  const last = noted as Noted | null;
  const now = clock();
  // A day from a clock that was wrong doesn't hold it up.
  if (last !== null && last.doneAt <= now.toISOString() && last.doneAt > instantBefore(now, DAY_MS)) return noted!;
  const accounts = await readAccountTables(db.read);
  const endings = endingKinds(modules).flatMap(kind => endingsOf(kind, context, accounts).map(ending => ({ kind, ending })));
  let failures: RowFailure[] = [];
  let isWhole = true;
  let ended = new Map<keyof Retention, number>();
  const look = async (change: Change): Promise<void> => {
    ended = new Map();
    isWhole = true;
    failures = await eachAttempted(
      change,
      endings,
      ({ ending }) => ending.table,
      async ({ kind, ending }) => {
        const rows = await endRows(change, ending, ROWS_PER_RUN);
        if (rows > 0) ended.set(kind.ends, (ended.get(kind.ends) ?? 0) + rows);
        if (rows === ROWS_PER_RUN) isWhole = false;
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
  if (failures.length > 0) throw new RowsFailed(failures);
  return isWhole ? ({ doneAt: now.toISOString() } satisfies Noted) : null;
}
