import { DAY_MS, HOUR_MS, instantBefore, MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Database, ownActivity, type Read } from '../../platform/database/index.ts';

/** Days for which a shorter period waits after it is in the profile: a typo is seen before anything is deleted. */
export const SHORTER_WAIT_DAYS = 7;
/** Days for which two people’s agreement counts. */
const AGREED_DAYS = 30;
/** The clock of this process and that of the database are at most so far apart. */
const MAX_APART_MS = HOUR_MS;
/** The newest sealed line of the log is at most so old: a clock that is years ahead has none. */
const MAX_SEAL_AGE_MS = 30 * DAY_MS;

/** The period of a kind of data as runs take it. */
export type Period = {
  kind: string;
  months: number;
  /** A shorter period of the profile that waits, and since when. */
  shorter: number | null;
  shorterAt: string | null;
  /** Since when runs wait for two people, because a large part of a table would end. */
  waitsSince: string | null;
  agreedAt: string | null;
};

/** Reads the periods that runs have taken so far, by kind. */
export const readPeriods = async (read: Pick<Read, 'selectFrom'>): Promise<ReadonlyMap<string, Period>> =>
  new Map(
    (await read.selectFrom('endingPeriod').select(['kind', 'months', 'shorter', 'shorterAt', 'waitsSince', 'agreedAt']).execute()).map(
      period => [period.kind, period],
    ),
  );

/** Returns the period that counts now: a longer one of the profile immediately, a shorter one after some days. */
export function settlePeriod(was: Period | undefined, { kind, months, now }: { kind: string; months: number; now: string }): Period {
  if (!was) return { kind, months, shorter: null, shorterAt: null, waitsSince: null, agreedAt: null };
  if (months >= was.months) return { ...was, months, shorter: null, shorterAt: null };
  if (was.shorter !== months || was.shorterAt === null) return { ...was, shorter: months, shorterAt: now };
  return was.shorterAt > instantBefore(now, SHORTER_WAIT_DAYS * DAY_MS) ? was : { ...was, months, shorter: null, shorterAt: null };
}

/** Returns the period, which waits for two people where a large part of a table would end and they haven’t agreed lately. */
export function settleLargePart(period: Period, isLarge: boolean, now: string): Period {
  const isAgreed = period.agreedAt !== null && period.agreedAt > instantBefore(now, AGREED_DAYS * DAY_MS);
  return { ...period, waitsSince: isLarge && !isAgreed ? (period.waitsSince ?? now) : null };
}

/** Notes the periods that changed, with a line in the log. Who agreed stays. */
export async function notePeriods(db: Database, was: ReadonlyMap<string, Period>, settled: readonly Period[]): Promise<void> {
  const changed = settled.filter(period => JSON.stringify(inOrder(period)) !== JSON.stringify(inOrder(was.get(period.kind))));
  if (changed.length === 0) return;
  await db.change(ownActivity('privacy.notePeriods', 'Noted how long personal data is kept'), async change => {
    const values = changed.map(({ kind, months, shorter, shorterAt, waitsSince }) => ({ kind, months, shorter, shorterAt, waitsSince }));
    await change
      .insertInto('endingPeriod')
      .values(values)
      .onConflict(again =>
        again.column('kind').doUpdateSet(eb => ({
          months: eb.ref('excluded.months'),
          shorter: eb.ref('excluded.shorter'),
          shorterAt: eb.ref('excluded.shorterAt'),
          waitsSince: eb.ref('excluded.waitsSince'),
        })),
      )
      .execute();
    await change.note({ periods: values });
  });
}

const inOrder = (period: Period | undefined): unknown[] | null =>
  period ? [period.months, period.shorter, period.shorterAt, period.waitsSince] : null;

/** Returns why nothing may be deleted by this clock; null where it is right. What a wrong clock deletes is gone. */
export async function problemOfClock(read: Pick<Read, 'rows'>, now: Date): Promise<string | null> {
  const [times] = await read.rows<{ database: string; sealed: string | null }>(
    sql`select now() as database, (select sealed_at from activity_seal order by position desc limit 1) as sealed`,
  );
  const apart = Math.abs(now.getTime() - Date.parse(times!.database));
  if (apart > MAX_APART_MS)
    return `The clock of this process and that of the database are ${Math.round(apart / MINUTE_MS)} minutes apart, so no personal data is deleted.`;
  const age = times!.sealed === null ? 0 : now.getTime() - Date.parse(times!.sealed);
  if (age > MAX_SEAL_AGE_MS)
    return `The newest sealed line of the log is ${Math.round(age / DAY_MS)} days old, so no personal data is deleted: the clock is ahead, or nothing is sealed.`;
  return null;
}
