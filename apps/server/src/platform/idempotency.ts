import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { HOUR_MS, instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import { Accepted } from './accepted.ts';
import type { ActivityInfo, Change, Database } from './database/index.ts';
import { refuse } from './failure.ts';

/** How long a key is remembered, in hours. */
const HOURS = 24;

type IdempotentCall = { key: string; loginId: string; endpoint: string; path: string; body: unknown };
type StoredAnswer = { requestDigest: Buffer; status: number; answer: unknown };

/** Another call with the same key got there first. */
class DoneAlready extends Error {}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The `idempotency-key` of a request, or null. @throws Failure INVALID_REQUEST */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{8,128}$/.test(key))
    throw refuse('INVALID_REQUEST', { detail: 'idempotency-key: write 8 to 128 visible ASCII characters' });
  return key;
}

/**
 * Runs a change once for a key of a login: called again within 24 hours, also at the same time, it answers what the first call answered. A refused
 * call is not remembered, so that it can be repeated when the reason is gone.
 * @throws Failure IDEMPOTENCY_KEY_REUSED when the key was used for something else
 */
export async function doneOnce(
  db: Database,
  activity: ActivityInfo,
  asked: IdempotentCall,
  run: (change: Change) => Promise<unknown>,
): Promise<unknown> {
  const keyDigest = digest(`${asked.endpoint} ${asked.key}`);
  const requestDigest = digest(`${asked.path}\n${JSON.stringify(asked.body)}`);
  const kept = async (): Promise<StoredAnswer | undefined> =>
    db.read
      .selectFrom('idempotentAnswer')
      .select(['requestDigest', 'status', 'answer'])
      .where('loginId', '=', asked.loginId)
      .where('keyDigest', '=', keyDigest)
      .where(sql<boolean>`made_at > now() - make_interval(hours => ${HOURS})`)
      .executeTakeFirst();
  const again = ({ requestDigest: first, status, answer }: StoredAnswer): unknown => {
    if (!first.equals(requestDigest)) throw refuse('IDEMPOTENCY_KEY_REUSED');
    if (status === 204) return undefined;
    return status === 202 ? new Accepted(answer) : answer;
  };
  const before = await kept();
  if (before) return again(before);
  try {
    return await db.change(activity, async change => {
      const { rows } = await sql`insert into idempotent_answer (login_id, key_digest, request_digest, status, answer, made_at)
        values (${asked.loginId}, ${keyDigest}, ${requestDigest}, 204, 'null', now())
        on conflict (login_id, key_digest) do update set request_digest = excluded.request_digest, status = 204, answer = 'null', made_at = now()
        where idempotent_answer.made_at <= now() - make_interval(hours => ${HOURS}) returning 1`.execute(change);
      if (rows.length === 0) throw new DoneAlready();
      const answer = await run(change);
      const status = answer instanceof Accepted ? 202 : answer === undefined ? 204 : 200;
      await change
        .updateTable('idempotentAnswer')
        .set({ status, answer: JSON.stringify((answer instanceof Accepted ? answer.answer : answer) ?? null) })
        .where('loginId', '=', asked.loginId)
        .where('keyDigest', '=', keyDigest)
        .execute();
      return answer;
    });
  } catch (error) {
    if (!(error instanceof DoneAlready)) throw error;
    const first = await kept();
    if (!first) throw refuse('UNAVAILABLE');
    return again(first);
  }
}

/** Forgets answers older than a day. */
export async function deleteExpiredAnswers(db: Database, now: Date): Promise<void> {
  const before = instantBefore(now, HOURS * HOUR_MS);
  await db.unrecorded.deleteFrom('idempotentAnswer').where('madeAt', '<', before).execute();
}
