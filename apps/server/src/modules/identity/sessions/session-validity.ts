import { DAY_MS, instantBefore } from '@portal/contract/days';
import type { Change, Database } from '../../../platform/database/index.ts';
import { refuse, refuseWith } from '../../../platform/failure.ts';

/** Facts about a bearer that can change while its token is valid. */
export type LoginFacts = { loginId: string; name: string; email: string; staff: boolean /** Or frozen. */; disabled: boolean };
export type Announcement = { sid: string } | { login: string } | { keys: true };

const channel = 'identity';
const MAX_LOGINS = 50_000;
/** Every 401 says how to authenticate (RFC 9110, 11.6.1; RFC 6750, 3). */
const challenge = { 'www-authenticate': 'Bearer error="invalid_token"' };
/** Maximum age of a token, whatever its claims say. */
export const LONGEST_TOKEN_SECONDS = DAY_MS / 1000;
/** Longer than any token is accepted, including a foreign provider's, with some tolerance for clocks. */
const REMEMBER_ENDED_MS = (LONGEST_TOKEN_SECONDS + 600) * 1000;

/** Announces to every process the facts that a change of identity invalidates, when the change commits. */
export const announce = (change: Change, announcement: Announcement): Promise<void> => change.notify(channel, JSON.stringify(announcement));

export type SessionValidity = {
  /**
   * Returns the person of a token, if session and login are valid. Answers from memory while this process receives every announcement;
   * else it asks the database, on every call. Null if there is no such login.
   * @throws Failure SESSION_ENDED, NOT_SIGNED_IN (login disabled), UNAVAILABLE (can't be checked; never "allow")
   */
  of: (issuer: string, subject: string, sid: string | null) => LoginFacts | Promise<LoginFacts | null>;
  /** Applies an end in this process before its announcement arrives. */
  endedHere: (sid: string) => void;
  /**
   * Reports what may have become invalid, as soon as this process learns of it; 'all' after it missed announcements. Check the details
   * with `of`. Returns a function that stops it.
   */
  watch: (listener: (changed: { sid: string } | { login: string } | 'all') => void) => () => void;
  close: () => Promise<void>;
};

/** Keeps ended sessions and logins in memory, kept current by announcements of the database. */
export async function openSessionValidity(
  db: Database,
  { ownIssuer, clock, onKeys }: { ownIssuer: string | null; clock: () => Date; onKeys: () => void },
): Promise<SessionValidity> {
  let trusted = false;
  // Incremented by everything that invalidates a look-up under way.
  let generation = 0;
  const ended = new Map<string, number>();
  const logins = new Map<string, LoginFacts>();
  const watchers = new Set<Parameters<SessionValidity['watch']>[0]>();
  const announceChange: Parameters<SessionValidity['watch']>[0] = changed => {
    for (const watcher of watchers) watcher(changed);
  };
  const end = (sid: string): void => {
    ended.set(sid, clock().getTime());
    announceChange({ sid });
  };

  const reload = async (): Promise<void> => {
    trusted = false;
    const generationAtStart = ++generation;
    logins.clear();
    const since = instantBefore(clock(), REMEMBER_ENDED_MS);
    const rows = await db.read.selectFrom('session').select('sid').where('endedAt', '>', since).execute();
    const now = clock().getTime();
    for (const [sid, at] of ended) if (at < now - REMEMBER_ENDED_MS) ended.delete(sid);
    for (const { sid } of rows) ended.set(sid, now);
    if (generationAtStart === generation && db.listening) trusted = true;
    announceChange('all');
  };
  // Lost again, or the database is down: the next change of `listening`, or this timer, retries.
  const retry = setInterval(() => {
    if (!trusted && db.listening) reload().catch(() => {});
  }, 1000);
  retry.unref();

  const heard = (payload: string): void => {
    const announcement = JSON.parse(payload) as Announcement;
    if ('sid' in announcement) end(announcement.sid);
    else if ('keys' in announcement) onKeys();
    else {
      generation++;
      for (const [key, { loginId }] of logins) if (loginId === announcement.login) logins.delete(key);
      announceChange({ login: announcement.login });
    }
  };
  const stopWatching = db.onListening(listening => {
    trusted = false;
    generation++;
    if (listening) {
      onKeys();
      reload().catch(() => {});
    }
  });
  const stopListening = await db.listen(channel, heard);
  await reload();

  const readFacts = async (issuer: string, subject: string, sid: string | null): Promise<LoginFacts | null> => {
    const generationAtStart = generation;
    const [session, login] = await look(db, ownIssuer, { issuer, subject, sid: sid !== null && !trusted ? sid : null }).catch(() => {
      throw refuse('UNAVAILABLE');
    });
    if (session?.endedAt) throw refuseWith(challenge, 'SESSION_ENDED');
    if (!login) return null;
    const facts = factsOf(login);
    if (trusted && generationAtStart === generation) {
      if (logins.size >= MAX_LOGINS) logins.delete(logins.keys().next().value!);
      logins.set(`${issuer} ${subject}`, facts);
    }
    return admitted(facts);
  };

  return {
    of: (issuer, subject, sid) => {
      if (sid !== null && ended.has(sid)) throw refuseWith(challenge, 'SESSION_ENDED');
      const known = trusted ? logins.get(`${issuer} ${subject}`) : undefined;
      return known ? admitted(known) : readFacts(issuer, subject, sid);
    },
    endedHere: end,
    watch: listener => {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
    close: async () => {
      clearInterval(retry);
      stopWatching();
      await stopListening();
    },
  };
}

type Bearer = { issuer: string; subject: string; sid: string | null };

/** Reads the session and the login of a bearer. @param sid null: the session isn't asked about */
const look = async ({ read }: Database, ownIssuer: string | null, { issuer, subject, sid }: Bearer) =>
  Promise.all([
    sid === null ? undefined : read.selectFrom('session').select('endedAt').where('sid', '=', sid).executeTakeFirst(),
    read
      .selectFrom('login')
      .select(['loginId', 'displayName', 'email', 'staff', 'disabledAt', 'frozenAt'])
      .where(eb =>
        issuer === ownIssuer
          ? eb('loginId', '=', subject)
          : eb('loginId', '=', eb.selectFrom('loginSubject').select('loginId').where('issuer', '=', issuer).where('subject', '=', subject)),
      )
      .executeTakeFirst(),
  ]);

type LoginRow = NonNullable<Awaited<ReturnType<typeof look>>[1]>;
const factsOf = ({ loginId, displayName, email, staff, disabledAt, frozenAt }: LoginRow): LoginFacts => ({
  loginId,
  name: displayName,
  email,
  staff,
  disabled: disabledAt !== null || frozenAt !== null,
});

function admitted(facts: LoginFacts): LoginFacts {
  if (facts.disabled) throw refuseWith(challenge, 'NOT_SIGNED_IN');
  return facts;
}
