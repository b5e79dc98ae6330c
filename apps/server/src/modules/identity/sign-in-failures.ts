import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';

/** From this failure on the next attempt has to wait. */
const FREE_FAILURES = 5;
const FIRST_DELAY_SECONDS = 15;
const LONGEST_DELAY_SECONDS = 900;
/** Failures are forgotten after this long without another. */
const FORGOTTEN_AFTER_SECONDS = 3600;

const digest = (key: string): Buffer => createHash('sha256').update(key).digest();

/** An attempt may go on, or has to wait. Never for good: whoever knows a name could lock its owner out otherwise (S3). */
export type Attempt = { waitSeconds: number; failures: number };

/**
 * Counts an attempt as failed before it is judged, so that many at once cannot slip through; `forgive` takes it back.
 * The delay doubles from 15 seconds at the fifth failure to 15 minutes. An attempt that has to wait does not count.
 */
export async function attempt(db: Database, key: string, now: Date): Promise<Attempt> {
  const at = now.toISOString();
  const failures = sql<number>`case when sign_in_failure.last_at < ${at}::timestamptz - make_interval(secs => ${FORGOTTEN_AFTER_SECONDS}) then 1 else sign_in_failure.failures + 1 end`;
  const { rows } = await sql<{ failures: number }>`
    insert into sign_in_failure (key, failures, last_at) values (${digest(key)}, 1, ${at})
    on conflict (key) do update set
      failures = ${failures},
      last_at = ${at},
      blocked_until = case when ${failures} >= ${FREE_FAILURES}
        then ${at}::timestamptz + make_interval(secs => least(${LONGEST_DELAY_SECONDS}, ${FIRST_DELAY_SECONDS} * power(2, least(20, ${failures} - ${FREE_FAILURES}))))
      end
    where sign_in_failure.blocked_until is null or sign_in_failure.blocked_until <= ${at}
    returning failures`.execute(db.unrecorded);
  const counted = rows[0];
  if (counted) return { waitSeconds: 0, failures: counted.failures };
  const blocked = await db.unrecorded
    .selectFrom('signInFailure')
    .select(['blockedUntil', 'failures'])
    .where('key', '=', digest(key))
    .executeTakeFirst();
  const wait = (new Date(blocked?.blockedUntil ?? at).getTime() - now.getTime()) / 1000;
  return { waitSeconds: Math.max(1, Math.ceil(wait)), failures: blocked?.failures ?? 0 };
}

/** Forgets the failures of keys whose owner proved to be right. */
export async function forgive(db: Database, keys: readonly string[]): Promise<void> {
  await db.unrecorded.deleteFrom('signInFailure').where('key', 'in', keys.map(digest)).execute();
}

/** Deletes what counts no more. */
export async function sweepFailures(db: Database, now: Date): Promise<void> {
  const long = new Date(now.getTime() - FORGOTTEN_AFTER_SECONDS * 1000).toISOString();
  await db.unrecorded.deleteFrom('signInFailure').where('lastAt', '<', long).execute();
}
