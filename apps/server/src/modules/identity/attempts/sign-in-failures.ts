import { createHash } from 'node:crypto';
import { HOUR_MS, instantAfter, instantBefore, MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { FUTURE_MS, futureFrom } from '../../../platform/clock-watch.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActivityOrigin } from './code-failures.ts';
import { theLast } from '../../../platform/clock-watch.ts';

/** From this failure on, the next attempt is delayed. */
const FREE_FAILURES = 5;
const FIRST_DELAY_SECONDS = 15;
const LONGEST_DELAY_SECONDS = 900;
/** Failures expire after this long without another one. */
const FORGOTTEN_AFTER_SECONDS = 3600;

const digest = (key: string): Buffer => createHash('sha256').update(key).digest();

/** An attempt proceeds, or has to wait. Never forever: otherwise anyone who knows a name could lock its owner out (S3). */
export type Attempt = { waitSeconds: number; failures: number };

/**
 * Counts an attempt as failed before it is checked, so that concurrent attempts can't slip through; `clearAttempts` takes it back.
 * The delay doubles from 15 seconds at the fifth failure to 15 minutes. An attempt that has to wait does not count. A longer delay, and failures of the
 * future, were written while a clock was ahead (decision 248), and count for nothing: otherwise the person would wait until then.
 */
export async function attempt(db: Pick<Database, 'unrecorded'>, key: string, now: Date): Promise<Attempt> {
  const at = now.toISOString();
  const longest = instantAfter(now, LONGEST_DELAY_SECONDS * SECOND_MS + FUTURE_MS);
  const failures = sql<number>`case when sign_in_failure.last_at < ${at}::timestamptz - make_interval(secs => ${FORGOTTEN_AFTER_SECONDS})
    or sign_in_failure.last_at > ${futureFrom(now)}::timestamptz then 1 else sign_in_failure.failures + 1 end`;
  const { rows } = await sql<{ failures: number }>`
    insert into sign_in_failure (key, failures, last_at) values (${digest(key)}, 1, ${at})
    on conflict (key) do update set
      failures = ${failures},
      last_at = ${at},
      blocked_until = case when ${failures} >= ${FREE_FAILURES}
        then ${at}::timestamptz + make_interval(secs => least(${LONGEST_DELAY_SECONDS}, ${FIRST_DELAY_SECONDS} * power(2, least(20, ${failures} - ${FREE_FAILURES}))))
      end
    where sign_in_failure.blocked_until is null or sign_in_failure.blocked_until <= ${at}
      or sign_in_failure.blocked_until > ${longest}::timestamptz
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

/** The kind of secret. Each has its own counters, so that wrong passwords don't delay codes. */
export type GuessedSecret = 'password' | 'code' | 'recovery code';

/**
 * Returns the delay of an attempt by earlier failures, from this address and from anywhere. Failures of strangers don't delay the owner: a person who
 * recently signed in from this address, or chose a new password by mail there, is delayed only by failures from there. Costs the same for
 * unknown names.
 * @param name whose secret is guessed, known or not.
 */
export async function countAttempt(
  db: Database,
  { guessed, name, loginId, address, now }: { guessed: GuessedSecret; name: string; loginId: string | null; address: string; now: Date },
): Promise<Attempt & { succeeded: () => Promise<void> }> {
  const keys = keysOf({ guessed, name, address });
  const here = await attempt(db, keys[0], now);
  const succeeded = (): Promise<void> => clearAttempts(db, keys);
  if (here.waitSeconds > 0) return { ...here, succeeded };
  const fromAnyAddress = await attempt(db, keys[1], now);
  const known = fromAnyAddress.waitSeconds > 0 && (await knownAt(db, loginId, address, now));
  return { waitSeconds: known ? 0 : fromAnyAddress.waitSeconds, failures: here.failures, succeeded };
}

const keysOf = ({ guessed, name, address }: { guessed: GuessedSecret; name: string; address: string }) =>
  [`${guessed} ${name} from ${address}`, `${guessed} ${name}`] as const;

/** Resets a person's failures, from this address and from anywhere, because the secret is new. */
export const clearFailedGuesses = (db: Database, whose: { guessed: GuessedSecret; name: string; address: string }): Promise<void> =>
  clearAttempts(db, keysOf(whose));

const RESET_COUNTS_HOURS = 24;

/** Returns whether the person signed in from this address recently, or proved there within a day that they read the login's mail. */
async function knownAt(db: Database, loginId: string | null, address: string, now: Date): Promise<boolean> {
  const { since, until } = theLast(RESET_COUNTS_HOURS * HOUR_MS, now);
  const [found] = await db.read.rows<{ known: boolean }>(sql`select
    exists(select from session where login_id = ${loginId ?? ''} and address = ${address})
    or exists(select from activity where login_subject = ${loginId ?? ''} and action like 'identity.%' and action = 'identity.resetPassword'
      and address = ${address} and happened_at between ${since} and ${until} and refusal is null) as known`);
  return found!.known;
}

/** Returns the message for a person who has to wait. */
export function waitWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return `Too many attempts. Try again in ${seconds < 60 ? `${seconds} seconds` : minutes === 1 ? '1 minute' : `${minutes} minutes`}.`;
}

/** Resets the failures of keys after a success. */
export async function clearAttempts(db: Pick<Database, 'unrecorded'>, keys: readonly string[]): Promise<void> {
  await db.unrecorded.deleteFrom('signInFailure').where('key', 'in', keys.map(digest)).execute();
}

/** Deletes expired counters. */
export async function sweepFailures(db: Database, now: Date): Promise<void> {
  const long = instantBefore(now, FORGOTTEN_AFTER_SECONDS * SECOND_MS);
  await db.unrecorded.deleteFrom('signInFailure').where('lastAt', '<', long).execute();
}

/** Maximum number of lines about failed sign-ins in a minute, over all people. */
const LINES_A_MINUTE = 60;

/** Writes failed sign-ins into the activity log. A flood leaves only a few lines: the first of a row, then each one that delays the next. */
export type FailureLines = (origin: ActivityOrigin, what: string, failures: number) => Promise<void>;

export function openFailureLines({ db, clock, log }: { db: Database; clock: () => Date; log: Log }): FailureLines {
  const allowed = allowance(LINES_A_MINUTE, clock);
  return async (origin, what, failures) => {
    if (failures !== 1 && failures < FREE_FAILURES) return;
    const line = { ...origin, action: 'identity.signInFailed', summary: what };
    if (allowed.take())
      await db.change(line, change => change.note({ failures, known: origin.login !== undefined, userAgent: origin.userAgent }));
    else log.warn('failed sign-in without a line of its own', { traceId: origin.traceId, address: origin.address });
  };
}

/** At most this many a minute. */
function allowance(perMinute: number, clock: () => Date): { take(): boolean } {
  let minute = 0;
  let taken = 0;
  return {
    take: () => {
      const now = Math.floor(clock().getTime() / MINUTE_MS);
      if (now !== minute) {
        minute = now;
        taken = 0;
      }
      return ++taken <= perMinute;
    },
  };
}
