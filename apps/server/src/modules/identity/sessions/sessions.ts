import { DAY_MS, instantBefore } from '@portal/contract/days';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Database, Read } from '../../../platform/database/index.ts';
import { type Authorizations, notifyOtherSystems } from './other-systems.ts';
import { type ClosedSession, closeSessions, idOf } from './provider-sessions.ts';
import { announce } from './session-validity.ts';

/** Records a sign-in by its `sid`, so that it can be ended; a step-up in the same session adds its factors. */
export async function recordSession(
  change: Change,
  session: {
    sid: string;
    loginId: string;
    grantId: string | null;
    amr: readonly string[];
    address: string | null;
    /** The browser it began in. */
    userAgent?: string | null;
    until: string;
  },
): Promise<void> {
  const row = { ...session, amr: [...session.amr] };
  await change
    .insertInto('session')
    .values({ ...row, startedAt: change.now })
    .onConflict(conflict => conflict.column('sid').doUpdateSet({ amr: row.amr, grantId: row.grantId, until: row.until }))
    .execute();
  await noteSignIn(change, session.loginId);
}

/**
 * Notes that a person signed in, at most once a day: it outlives their sessions. Where another sign-in of theirs holds the login, that one notes it, or the next: neither waits for the
 * other.
 */
export async function noteSignIn(change: Change, loginId: string): Promise<void> {
  await change.rows(sql`update login set last_sign_in_at = ${change.now}::timestamptz where login_id in (
    select login_id from login where login_id = ${loginId} and (last_sign_in_at is null or last_sign_in_at < ${instantBefore(change.now, DAY_MS)}::timestamptz)
    for no key update skip locked)`);
}

/** SQL: when the person of a login last signed in; null where it isn’t known. @param loginId a column, such as `c.login_id` */
export const lastSignInOf = (loginId: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql<string | null>`greatest((select k.last_sign_in_at from login k where k.login_id = ${loginId}),
    (select max(s.started_at) from session s where s.login_id = ${loginId}))`;

/** Notes that a session is used from an address. Returns whether it exists and whether it is open. */
export async function recordSessionUse(
  db: Database,
  { sid, address, at }: { sid: string; address: string | null; at: Date },
): Promise<'open' | 'ended' | 'unknown'> {
  const { rows } = await sql<{ open: boolean }>`with known as (select sid, ended_at is null as open from session where sid = ${sid}),
    used as (insert into session_use (sid, used_at, address) select sid, ${at.toISOString()}::timestamptz, ${address}::inet from known where open
      on conflict (sid) do update set used_at = excluded.used_at, address = excluded.address where session_use.used_at < excluded.used_at)
    select open from known`.execute(db.unrecorded);
  if (!rows[0]) return 'unknown';
  return rows[0].open ? 'open' : 'ended';
}

/**
 * Returns whether the session that a sign-in opens or continues in has been ended, and locks it until the change ends.
 * @param began how often all sessions of the login had been ended when the sign-in began, and the `sid`s of its provider session.
 */
export async function endedSince(
  change: Change,
  loginId: string,
  began: { sessionsEnded: number | undefined; sids: readonly string[] },
): Promise<boolean> {
  const login = await change.selectFrom('login').select('sessionsEnded').where('loginId', '=', loginId).forShare().executeTakeFirst();
  if (login?.sessionsEnded !== began.sessionsEnded) return true;
  const sessions = await change.selectFrom('session').select('endedAt').where('sid', 'in', began.sids).forShare().execute();
  return sessions.some(({ endedAt }) => endedAt !== null);
}

/**
 * Ends one session: its bearers are refused from now on, in every process, and the provider renews nothing. An unknown `sid` is stored too:
 * a foreign provider's session is known only by its end.
 * @param loggedOut true after a log-out at the provider, which notifies the other systems itself
 */
export async function endSession(change: Change, sid: string, why: string, { loggedOut = false } = {}): Promise<void> {
  const ended = { endedAt: change.now, endedWhy: why };
  await change
    .insertInto('session')
    .values({ sid, startedAt: change.now, until: change.now, ...ended })
    .onConflict(conflict => conflict.column('sid').doUpdateSet(ended).where('session.endedAt', 'is', null))
    .execute();
  const closed = await closeSessions(change, sql`account_id = (select login_id from session where sid = ${sid}) and ${holdsSid(sid)}`);
  // Its codes and tokens become invalid. A sign-in under way in it continues, and ends this session itself.
  await change
    .deleteFrom('oidcPayload')
    .where('model', '!=', 'Interaction')
    .where('grantId', 'in', eb =>
      eb.selectFrom('session').select('grantId').where('sid', '=', sid).where('grantId', 'is not', null).$castTo<string>(),
    )
    .execute();
  if (!loggedOut) for (const { payload } of closed) await notifyOtherSystems(change, payload.accountId!, [authorizationsOf(payload)]);
  await announce(change, { sid });
}

/**
 * Ends all sessions of a login, at the API and at the provider: account disabled, factor taken away, password stolen. The person signs in again.
 * @param why in a few words, for the list of sessions.
 */
export async function endSessions(change: Change, loginId: string, why: string): Promise<void> {
  await endPendingSignIns(change, loginId);
  const ended = await change
    .updateTable('session')
    .set({ endedAt: change.now, endedWhy: why })
    .where('loginId', '=', loginId)
    .where('endedAt', 'is', null)
    .where('until', '>', change.now)
    .returning('sid')
    .execute();
  const closed = await closeSessions(change, sql`account_id = ${loginId}`);
  await change.deleteFrom('oidcPayload').where('accountId', '=', loginId).execute();
  await notifyOtherSystems(change, loginId, authorizationsIn(change, closed));
  for (const { sid } of ended) await announce(change, { sid });
}

/**
 * Ends all sessions of a login but one, at the API immediately and at the provider: its password, address or factors changed. The browser of
 * `keepSid` stays signed in, in other systems too; null keeps none.
 */
export async function endOtherSessions(change: Change, loginId: string, keepSid: string | null, why: string): Promise<void> {
  if (keepSid === null) return endSessions(change, loginId, why);
  const kept = await providerSessionOf(change, loginId, keepSid);
  await endPendingSignIns(change, loginId);
  const authorizations = Object.values(kept?.authorizations ?? {});
  const sids = [keepSid, ...authorizations.map(({ sid }) => sid).filter(sid => sid !== undefined)];
  const grants = authorizations.map(({ grantId }) => grantId).filter(grantId => grantId !== undefined);
  const ended = await change
    .updateTable('session')
    .set({ endedAt: change.now, endedWhy: why })
    .where('loginId', '=', loginId)
    .where('sid', 'not in', sids)
    .where('endedAt', 'is', null)
    .where('until', '>', change.now)
    .returning('sid')
    .execute();
  const storedIds = [...(kept ? [kept.id] : []), ...grants.map(idOf)];
  const closed = await closeSessions(change, sql`account_id = ${loginId} and id is distinct from ${kept?.id ?? null}`);
  await change
    .deleteFrom('oidcPayload')
    .where('accountId', '=', loginId)
    .$if(storedIds.length > 0, query => query.where('id', 'not in', storedIds))
    .$if(grants.length > 0, query => query.where(eb => eb.or([eb('grantId', 'is', null), eb('grantId', 'not in', grants)])))
    .execute();
  await notifyOtherSystems(change, loginId, authorizationsIn(change, closed));
  for (const { sid } of ended) await announce(change, { sid });
}

/**
 * Invalidates everything that sign-ins under way have proven, however late their browsers come back. Runs first: it waits for a sign-in that is being
 * recorded, and later steps see the session it opened.
 */
async function endPendingSignIns(change: Change, loginId: string): Promise<void> {
  await change
    .updateTable('login')
    .set(eb => ({ sessionsEnded: eb('sessionsEnded', '+', 1) }))
    .where('loginId', '=', loginId)
    .execute();
}

/** The session of the provider a `sid` was given in: its row, and the `sid` and grant of every client it signed in to. */
async function providerSessionOf(read: Read, loginId: string, sid: string): Promise<{ id: Buffer; authorizations: Authorizations } | null> {
  const row = await read
    .selectFrom('oidcPayload')
    .select(['id', 'payload'])
    .where('model', '=', 'Session')
    .where('accountId', '=', loginId)
    .where(holdsSid(sid))
    .executeTakeFirst();
  return row ? { id: row.id, authorizations: authorizationsOf(row.payload) } : null;
}

const authorizationsOf = (payload: unknown): Authorizations => (payload as { authorizations?: Authorizations }).authorizations ?? {};
/** Of the closed sessions, those that had not expired. */
const authorizationsIn = (change: Change, closed: readonly ClosedSession[]): Authorizations[] =>
  closed.filter(({ expiresAt }) => expiresAt === null || expiresAt > change.now).map(({ payload }) => authorizationsOf(payload));

const holdsSid = (sid: unknown) =>
  sql<boolean>`jsonb_path_exists(payload, '$.authorizations.*.sid ? (@ == $sid)', jsonb_build_object('sid', ${sid}::text))`;

/** Ends the session of a grant: one of its codes was used twice, so another party has seen it (RFC 6749 4.1.2). */
export async function endSessionOfGrant(change: Change, grantId: string, why: string): Promise<void> {
  const sessions = await change.selectFrom('session').select('sid').where('grantId', '=', grantId).where('endedAt', 'is', null).execute();
  for (const { sid } of sessions) await endSession(change, sid, why);
}

/** Days for which an ended or expired session is kept, to recognise a person's devices and addresses. */
export const SESSION_MEMORY_DAYS = 90;

/** A session as its person sees it. */
export type SessionRow = {
  sid: string;
  amr: string[];
  userAgent: string | null;
  /** Address of the last use, or else of its start. */
  address: string | null;
  startedAt: string;
  usedAt: string;
  /** Null while it is open. */
  endedAt: string | null;
  endedWhy: string | null;
};

/**
 * Returns the sessions of a person, most recently used first: open ones, and those that ended within so many days. A session that its browser didn't
 * renew in time has expired.
 */
export async function listSessions(
  read: Read,
  loginId: string,
  { now, endedDays }: { now: Date; endedDays: number },
): Promise<{ open: SessionRow[]; ended: SessionRow[] }> {
  const since = instantBefore(now, endedDays * DAY_MS);
  const rows = await read.rows<SessionRow & { until: string; alive: boolean }>(sql`
    select sid, amr, user_agent, host(coalesce(session_use.address, session.address)) as address, started_at, coalesce(used_at, started_at) as used_at,
      ended_at, ended_why, until, until > ${now.toISOString()} and exists (
        select from oidc_payload where model = 'Session' and account_id = ${loginId} and expires_at > now() and ${holdsSid(sql`sid`)}) as alive
    from session left join session_use using (sid)
    where login_id = ${loginId} and (ended_at > ${since} or (ended_at is null and until > ${since}))
    order by coalesce(used_at, started_at) desc, sid`);
  const sessions = rows.map(({ until, alive, ...row }): SessionRow => {
    if (row.endedAt !== null || alive) return row;
    const over = new Date(until) <= now;
    return { ...row, endedAt: over ? until : row.usedAt, endedWhy: over ? 'signed in for as long as possible' : 'not used any more' };
  });
  return { open: sessions.filter(({ endedAt }) => endedAt === null), ended: sessions.filter(({ endedAt }) => endedAt !== null) };
}
