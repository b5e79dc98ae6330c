import type { BoardFact, BoardPart } from '@portal/contract/board/board';
import { type RawBuilder, sql } from 'kysely';
import type { ModuleContext } from './module.ts';
import type { Read } from './database/index.ts';

/** Days of a period, both included, in the time zone of the registry. */
export type BoardDays = { from: string; to: string };

/** A number of a period. */
export type PeriodFact = Omit<BoardFact, 'before'>;

/**
 * Returns the numbers of a period, always the same ones in the same order. They come from dated documents and from history, never from what is so today: the report of a past
 * month is the same whenever it is asked for.
 */
export type BoardFactsOf = (
  read: Pick<Read, 'rows'>,
  days: BoardDays,
  context: Pick<ModuleContext, 'profile'> & { now: Date },
) => Promise<PeriodFact[]>;

declare module './module.ts' {
  interface Contributions {
    /** Parts of the report for the board, from the facts that it owns. */
    boardFacts?: Partial<Record<BoardPart, BoardFactsOf>>;
  }
}

/** SQL: the instants at which a period begins and ends. */
export const beginOf = ({ from }: BoardDays, timeZone: string): RawBuilder<string> => sql`(${from}::timestamp at time zone ${timeZone})`;
export const endOf = ({ to }: BoardDays, timeZone: string): RawBuilder<string> =>
  sql`((${to}::date + 1)::timestamp at time zone ${timeZone})`;
/** SQL: an instant is in a period. */
export const isIn = (instant: RawBuilder<unknown>, days: BoardDays, timeZone: string): RawBuilder<boolean> =>
  sql`(${instant} >= ${beginOf(days, timeZone)} and ${instant} < ${endOf(days, timeZone)})`;

/** A share of a whole in percent, with one decimal at most; null of nothing. */
export const percentOf = (part: number, whole: number): string | null =>
  whole === 0 ? null : String(Math.round((part / whole) * 1000) / 10);
