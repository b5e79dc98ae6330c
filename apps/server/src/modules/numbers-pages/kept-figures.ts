import { dayIn } from '@portal/contract/days';
import { sql } from 'kysely';
import { ownActivity, type Read } from '../../platform/database/index.ts';
import { clocksAgree } from '../../platform/clock-watch.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { countFigures, type Figures } from './figures.ts';

export type KeptFigures = { day: string; figures: Figures };

/** Counts the figures of today once, and keeps them: the page of a day always shows the same. */
export async function keepFigures({ db, profile, clock }: Pick<ModuleContext, 'db' | 'profile' | 'clock'>): Promise<void> {
  // A day that hasn't come would be kept as it was counted now.
  if (!(await clocksAgree(db, clock))) return;
  const now = clock();
  const day = dayIn(profile.timeZone, now);
  const [kept] = await db.read.rows(sql`select 1 from registry_figures where day = ${day}::date`);
  if (kept) return;
  const figures = await countFigures(db.read, { day, profile });
  await db.change(ownActivity('numbersPages.keepFigures', `Counted the figures of ${day}`), change =>
    change
      .insertInto('registryFigures')
      .values({ day, figures: JSON.stringify(figures), madeAt: now.toISOString() })
      .onConflict(conflict => conflict.doNothing())
      .execute(),
  );
}

/** Returns the figures of a day, or with `orBefore` of the last day until then that has some; null where there are none. */
export async function figuresOf(read: Pick<Read, 'rows'>, day: string, orBefore = false): Promise<KeptFigures | null> {
  const [row] = await read.rows<KeptFigures>(sql`select day::text, figures from registry_figures
    where ${orBefore ? sql`day <= ${day}::date` : sql`day = ${day}::date`} order by day desc limit 1`);
  return row ?? null;
}

/** The first of all days that have figures, and the last before and the first after a day that has none. */
export type DaysAround = { first: string | null; before: string | null; after: string | null };

/** Finds the days with figures around one that has none. */
export async function daysAround(read: Pick<Read, 'rows'>, day: string): Promise<DaysAround> {
  const [row] =
    await read.rows<DaysAround>(sql`select min(day)::text as first, (max(day) filter (where day < ${day}::date))::text as before,
    (min(day) filter (where day > ${day}::date))::text as after from registry_figures`);
  return row!;
}

/** Days with figures that a page offers. */
const OFFERED = 36;

/** The last day with figures of each month, newest first. */
export const lastDaysOfMonths = async (read: Pick<Read, 'rows'>): Promise<string[]> =>
  (
    await read.rows<{ day: string }>(
      sql`select max(day)::text as day from registry_figures group by date_trunc('month', day) order by max(day) desc limit ${OFFERED}`,
    )
  ).map(({ day }) => day);

/** A point of the lines through time: the last day of a month that has figures. */
export type Point = Pick<Figures, 'pools' | 'members' | 'coverage'> & { day: string };

/** Years that lines go back. */
const YEARS = 10;

/** Returns the last figures of each month up to a day, oldest first. */
export const pointsUntil = (read: Pick<Read, 'rows'>, day: string): Promise<Point[]> =>
  read.rows<Point>(sql`select f.day::text, f.figures -> 'pools' as pools, f.figures -> 'members' as members, f.figures -> 'coverage' as coverage
    from generate_series(date_trunc('month', ${day}::date - make_interval(years => ${YEARS})), ${day}::date, interval '1 month') as m
      join lateral (select * from registry_figures where day >= m::date and day < (m + interval '1 month')::date and day <= ${day}::date order by day desc limit 1) f on true
    order by f.day`);
