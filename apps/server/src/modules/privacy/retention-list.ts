import type { Download } from '@portal/contract';
import { DAY_MS, instantAfter, utcDay } from '@portal/contract/days';
import type { EndingKind, privacy } from '@portal/contract/privacy/privacy';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { dataSubjects, isEnding, keptUntil } from '../../platform/kept-data.ts';
import type { Module, ModuleContext } from '../../platform/module.ts';
import { tableFile } from '../../platform/table-file.ts';
import { countEnding, endingKinds, readAccountTables } from './ending-rows.ts';
import { countHolds } from './holds.ts';
import { problemOfClock, readPeriods, settlePeriod, SHORTER_WAIT_DAYS } from './periods.ts';
import { endingsOf, monthsAfter, ROWS_PER_RUN } from './retention.ts';

type Looked = Pick<ModuleContext, 'modules' | 'profile' | 'clock'>;

/** Counts each kind of data that ends after a time: what the next run deletes, what a hold keeps, and what ended in the last 30 days. */
async function listKinds(read: Read, { modules, profile, clock }: Looked): Promise<EndingKind[]> {
  const accounts = await readAccountTables(read);
  const periods = await readPeriods(read);
  const ended = new Map(
    (
      await read.rows<{ kind: string; rows: number }>(
        sql`select kind, sum(rows)::int as rows from ended_data where day > ${utcDay(clock())}::date - 30 group by kind`,
      )
    ).map(({ kind, rows }) => [kind, rows]),
  );
  const now = clock().toISOString();
  return Promise.all(
    endingKinds(modules).map(async (kind): Promise<EndingKind> => {
      const { months, shorter, shorterAt, waitsSince } = settlePeriod(periods.get(kind.period), {
        kind: kind.period,
        months: profile.retention[kind.period],
        now,
      });
      const counts = await Promise.all(endingsOf(kind, months, { modules, clock, accounts }).map(ending => countEnding(read, ending)));
      const oldest = counts.flatMap(({ oldest: first }) => first ?? []).sort()[0];
      return {
        kind: kind.period,
        data: kind.data,
        purpose: kind.purpose,
        months,
        from: kind.from,
        shorter:
          shorter === null || shorterAt === null ? null : { months: shorter, at: instantAfter(shorterAt, SHORTER_WAIT_DAYS * DAY_MS) },
        waitsSince,
        over: counts.reduce((sum, { over }) => sum + over, 0),
        held: counts.reduce((sum, { held }) => sum + held, 0),
        nextOn: oldest === undefined ? null : utcDay(monthsAfter(new Date(oldest), months)),
        ended: ended.get(kind.period) ?? 0,
      };
    }),
  );
}

/** Returns what ends after a time, and what may not be deleted. Deletes nothing. */
export async function getRetention({ read, caller, registry: { modules, profile, now } }: Act<typeof privacy.getRetention>) {
  const [work] = await read.rows<{ lastRunAt: string | null; failure: string | null }>(
    sql`select succeeded_at as last_run_at, failure from periodic_work where name = 'privacy.endWhatIsOver'`,
  );
  return {
    kinds: await listKinds(read, { modules, profile, clock: () => now }),
    holds: await countHolds(read, caller.loginId),
    lastRunAt: work?.lastRunAt ?? null,
    failure: work?.failure ?? null,
    clock: await problemOfClock(read, now),
    perRun: ROWS_PER_RUN,
  };
}

const reasons = {
  'deleted by its module': 'deleted automatically',
  changed: 'until its person or account changes it',
  law: 'the law asks for it',
  record: 'a record of decisions',
} as const;

const columns = ['whose', 'data', 'purpose', 'kept', 'why', 'tables'] as const;

/** All kinds of personal data with how long they are kept, as a file. */
export const exportRetention = ({ registry: { modules, profile } }: Act<typeof privacy.exportRetention>): Promise<Download> =>
  Promise.resolve(tableFile('personal-data', 'csv', columns, recordsOf(modules, profile)));

async function* recordsOf(modules: readonly Module[], { retention }: Looked['profile']) {
  yield await Promise.resolve(
    modules
      .flatMap(({ keeps = [] }) => keeps)
      .map(kept => ({
        whose: dataSubjects[kept.of],
        data: kept.data,
        purpose: kept.purpose,
        kept: keptUntil(kept, retention),
        why: isEnding(kept) ? 'a period of the registry' : reasons[kept.ends],
        tables: kept.tables.join(' '),
      })),
  );
}
