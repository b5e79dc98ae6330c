import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { HOUR_MS, instantBefore } from '@portal/contract/days';
import type { ChangeOutcome } from '@portal/contract/shell/change-outcomes';
import { sql } from 'kysely';
import type { ActivityInfo, Change, Database } from '../database/index.ts';
import { refuse } from '../failure.ts';
import { withTexts } from '../held-text.ts';
import { Accepted } from './accepted.ts';

/** How long a key is remembered, in hours. */
const HOURS = 24;

type IdempotentCall = {
  key: string;
  loginId: string;
  endpoint: string;
  path: string;
  body: unknown;
  /** It changes no registry data: it may run again when repeated, so a long answer need not be stored. */
  isHarmless: boolean;
  /** Fields of the answer that are shown once, and therefore stored as null. */
  onceOnly?: readonly string[] | undefined;
};
type StoredAnswer = { requestDigest: Buffer; status: number; answer: unknown };

/** In place of the status of an answer: the sender was told that the change was not made. */
const GIVEN_UP = 0;
/** Answers of harmless calls up to this length, in characters of JSON, are stored. */
const LONGEST_HARMLESS = 65_536;

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

const keyDigestOf = ({ endpoint, key }: { endpoint: string; key: string }): Buffer => digest(`${endpoint} ${key}`);
const isKept = sql<boolean>`idempotent_answer.made_at > now() - make_interval(hours => ${HOURS}) and idempotent_answer.made_at < now() + interval '5 minutes'`;

/**
 * Runs a change once for a key of a login: repeated within 24 hours, also concurrently, it answers what the first call answered. A refused call is
 * not remembered, so that it can be repeated once the reason is gone. @param onReplay called if the answer is that of an earlier call
 * @throws Failure IDEMPOTENCY_KEY_REUSED when the key was used for something else, CHANGE_GIVEN_UP when its sender got the answer that it was not made
 */
export async function runIdempotently(
  db: Database,
  activity: ActivityInfo,
  asked: IdempotentCall,
  run: (change: Change) => Promise<unknown>,
  onReplay: () => void,
): Promise<unknown> {
  const keyDigest = keyDigestOf(asked);
  const requestDigest = digest(`${asked.path}\n${JSON.stringify(withTexts(asked.body, ({ digest: of }) => of))}`);
  try {
    return await db.change(activity, async change => {
      const { rows } = await sql`insert into idempotent_answer (login_id, key_digest, request_digest, status, answer, made_at)
        values (${asked.loginId}, ${keyDigest}, ${requestDigest}, 204, 'null', now())
        on conflict (login_id, key_digest) do update set request_digest = excluded.request_digest, status = 204, answer = 'null', made_at = now()
        where not ${isKept} returning 1`.execute(change);
      if (rows.length === 0) throw new DoneAlready();
      const answer = await run(change);
      const status = answer instanceof Accepted ? 202 : answer === undefined ? 204 : 200;
      if (status === 204) return answer;
      const content = (answer instanceof Accepted ? answer.answer : answer) ?? null;
      const text = JSON.stringify(
        asked.onceOnly ? { ...content, ...Object.fromEntries(asked.onceOnly.map(field => [field, null])) } : content,
      );
      const isStored = !asked.isHarmless || text.length <= LONGEST_HARMLESS;
      const where = sql`where login_id = ${asked.loginId} and key_digest = ${keyDigest}`;
      await (isStored
        ? sql`update idempotent_answer set status = ${status}, answer = ${text} ${where}`
        : sql`delete from idempotent_answer ${where}`
      ).execute(change);
      return answer;
    });
  } catch (error) {
    if (!(error instanceof DoneAlready)) throw error;
    const first: StoredAnswer | undefined = await db.read
      .selectFrom('idempotentAnswer')
      .select(['requestDigest', 'status', 'answer'])
      .where('loginId', '=', asked.loginId)
      .where('keyDigest', '=', keyDigest)
      .where(isKept)
      .executeTakeFirst();
    if (!first) throw refuse('UNAVAILABLE');
    if (first.status === GIVEN_UP) throw refuse('CHANGE_GIVEN_UP');
    if (!first.requestDigest.equals(requestDigest)) throw refuse('IDEMPOTENCY_KEY_REUSED');
    onReplay();
    if (first.status === 204) return undefined;
    return first.status === 202 ? new Accepted(first.answer) : first.answer;
  }
}

/**
 * Returns whether a change of a login was saved. Waits for one in progress; one that was not saved is refused from then on, however late its request
 * arrives, so that the answer stays true.
 */
export async function settleChange({
  unrecorded,
  caller: { loginId },
  body,
}: Pick<Database, 'unrecorded'> & { caller: { loginId: string }; body: { endpoint: string; key: string } }): Promise<ChangeOutcome> {
  const keyDigest = keyDigestOf(body);
  await sql`insert into idempotent_answer (login_id, key_digest, request_digest, status, answer, made_at)
    values (${loginId}, ${keyDigest}, ${digest('')}, ${GIVEN_UP}, 'null', now())
    on conflict (login_id, key_digest) do update set request_digest = excluded.request_digest, status = ${GIVEN_UP}, answer = 'null', made_at = now()
    where not ${isKept}`.execute(unrecorded);
  const { status, madeAt } = await unrecorded
    .selectFrom('idempotentAnswer')
    .select(['status', 'madeAt'])
    .where('loginId', '=', loginId)
    .where('keyDigest', '=', keyDigest)
    .executeTakeFirstOrThrow();
  return status === GIVEN_UP ? { outcome: 'not-saved', savedAt: null } : { outcome: 'saved', savedAt: madeAt };
}

/** Forgets answers older than a day. */
export async function deleteExpiredAnswers(db: Database, now: Date): Promise<void> {
  const before = instantBefore(now, HOURS * HOUR_MS);
  await db.unrecorded.deleteFrom('idempotentAnswer').where('madeAt', '<', before).execute();
}
