import { DAY_MS, instantBefore, SECOND_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Change, type Database, outageOf, ownActivity, type Read } from '../../../platform/database/index.ts';
import type { TokenClaims } from './token-claims.ts';
import { refuseWith } from '../../../platform/failure.ts';
import { addSubject, createLogin } from '../logins/logins.ts';
import { announce, type LoginFacts } from '../sessions/session-validity.ts';
import { noteSignIn } from '../sessions/sessions.ts';

/** People authenticated by another provider. Which accounts they act for is decided elsewhere. */
export type ForeignPeople = {
  /** Creates the login of a person seen for the first time. */
  firstSight(claims: TokenClaims): Promise<LoginFacts>;
  /** Updates the login of a person from a new token. */
  meetAgain(claims: TokenClaims, facts: LoginFacts): Promise<LoginFacts>;
  /** Gives and withdraws what follows from the groups of a new token. */
  applyGroups(claims: TokenClaims, facts: LoginFacts): Promise<LoginFacts>;
};

/** The consequences that the groups of a person at another provider have here. */
export type PersonGroups = {
  /** Whether these groups change anything. */
  differ(read: Read, loginId: string, given: { groups: readonly string[]; now: string }): Promise<boolean>;
  apply(change: Change, loginId: string, given: { groups: readonly string[] }): Promise<void>;
};

/** Returns the claims about a person; null where they are missing. */
function described({ subject, profile }: TokenClaims) {
  const { fullName, displayName, nickname, name, email, emailVerified } = profile;
  const known = fullName ?? name ?? displayName ?? nickname;
  return {
    known,
    fullName: known ?? email ?? subject,
    displayName: displayName ?? name ?? known ?? email ?? subject,
    nickname,
    email,
    emailVerified,
  };
}

/** Returns whether another login has this address. The provider's addresses are not unique here: claiming one must not give access to its login. */
const isTaken = async (change: Change, email: string, loginId: string): Promise<boolean> =>
  (await change
    .selectFrom('login')
    .select('loginId')
    .where('email', 'ilike', email.replaceAll(/[\\%_]/g, '\\$&'))
    .where('loginId', '!=', loginId)
    .executeTakeFirst()) !== undefined;

/** People of another provider, known by issuer and subject alone; names and addresses follow what its tokens say. */
export function foreignPeople(db: Database, groups: PersonGroups | null, clock: () => Date): ForeignPeople {
  return {
    async firstSight(claims) {
      const { issuer, subject, issuedAt } = claims;
      const { fullName, displayName, nickname, email: claimed, emailVerified } = described(claims);
      const line = ownActivity('identity.firstSight', 'Added a person of the OpenID provider');
      const { loginId, email } = await db.change(
        { ...line, login: { issuer, subject } },
        async change => {
          const known = await change
            .selectFrom('loginSubject')
            .innerJoin('login', 'login.loginId', 'loginSubject.loginId')
            .select(['login.loginId', 'login.email'])
            .where('issuer', '=', issuer)
            .where('subject', '=', subject)
            .executeTakeFirst();
          if (known) return known;
          if (await isOlderThanErasure(change, issuedAt)) throw signInAgain();
          const id = crypto.randomUUID();
          const free = claimed !== null && !(await isTaken(change, claimed, id));
          const address = free ? claimed : `${id}@unknown.invalid`;
          await createLogin(change, {
            loginId: id,
            username: id,
            email: address,
            emailVerified: free && emailVerified,
            fullName,
            displayName,
            ...(nickname !== null && { nickname }),
          });
          await addSubject(change, id, { issuer, subject });
          await storeTokenTime(change, claims, issuedAt);
          await noteSignIn(change, id);
          return { loginId: id, email: address };
        },
        { isolation: 'serializable' },
      );
      return { loginId, name: displayName, email, staff: false, disabled: false };
    },

    async meetAgain(claims, facts) {
      const { issuer, subject, issuedAt } = claims;
      const now = described(claims);
      const before = await db.read
        .selectFrom('login')
        .innerJoin('loginSubject', 'loginSubject.loginId', 'login.loginId')
        .select(['fullName', 'displayName', 'nickname', 'email', 'emailVerified', 'notifiedAt', 'lastSignInAt'])
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst();
      if (!before) return facts;
      await noteDay(db, claims, { ...facts, lastSignInAt: before.lastSignInAt, now: clock() });
      const unchanged = { ...facts, name: before.displayName, email: before.email };
      // Older than the last token applied, so that two devices of a person don't overwrite each other.
      if (before.notifiedAt !== null && Date.parse(before.notifiedAt) > issuedAt * SECOND_MS) return unchanged;
      const wanted = {
        ...(now.known !== null && { fullName: now.fullName, displayName: now.displayName }),
        ...(now.nickname !== null && { nickname: now.nickname }),
        ...(now.email !== null && { email: now.email, emailVerified: now.emailVerified }),
      };
      const differs = (Object.keys(wanted) as (keyof typeof wanted)[]).some(key => wanted[key] !== before[key]);
      if (!differs) return unchanged;
      const line = ownActivity('identity.profileChanged', 'Updated a person from the OpenID provider');
      return db.change(
        { ...line, login: { issuer, subject } },
        async change => {
          const { email, emailVerified, ...names } = wanted;
          await requireSubject(change, claims, facts.loginId);
          const free = email !== undefined && !(await isTaken(change, email, facts.loginId));
          if (email !== undefined && !free) await change.note({ addressOfAnotherLogin: true });
          const after = { ...names, ...(free && { email, emailVerified }) };
          if (Object.keys(after).length > 0) await change.updateTable('login').set(after).where('loginId', '=', facts.loginId).execute();
          await storeTokenTime(change, claims, issuedAt);
          await announce(change, { login: facts.loginId });
          // The cached facts may be older than the row.
          return { ...facts, name: after.displayName ?? before.displayName, email: after.email ?? before.email };
        },
        { isolation: 'serializable' },
      );
    },

    async applyGroups(claims, facts) {
      const { issuer, subject, issuedAt } = claims;
      if (!groups || !(await groups.differ(db.read, facts.loginId, { groups: claims.groups, now: clock().toISOString() }))) return facts;
      const issued = new Date(issuedAt * SECOND_MS).toISOString();
      const line = ownActivity('identity.applyGroups', 'Applied the groups of the OpenID provider');
      await db.change({ ...line, login: { issuer, subject } }, async change => {
        // A token older than the last one applied, of another device, undoes nothing.
        const [newest] = await change.rows(sql`
          update login_subject set groups_at = ${issued}::timestamptz
          where issuer = ${issuer} and subject = ${subject} and (groups_at is null or groups_at <= ${issued}::timestamptz) returning 1 as newest`);
        if (!newest) return change.note({ olderToken: true });
        await groups.apply(change, facts.loginId, claims);
        await announce(change, { login: facts.loginId });
      });
      const { staff } = await db.read.selectFrom('login').select('staff').where('loginId', '=', facts.loginId).executeTakeFirstOrThrow();
      return { ...facts, staff };
    },
  };
}

const signInAgain = () => refuseWith({ 'www-authenticate': 'Bearer error="invalid_token"' }, 'NOT_SIGNED_IN');

/** Clocks of two machines may differ by this much. */
const TOLERANCE_MS = 5 * SECOND_MS;

/**
 * Returns whether a token is older than the last erasure of anyone: who was erased has no subject any more by which a tab that is left open would be known. Of a person who is
 * new here the token is asked for again, once.
 */
const isOlderThanErasure = async (change: Change, issuedAt: number): Promise<boolean> => {
  const issued = new Date(issuedAt * SECOND_MS - TOLERANCE_MS).toISOString();
  return (await change.rows(sql`select from erasure where state = 'erased' and ended_at >= ${issued}::timestamptz limit 1`)).length > 0;
};

/** Refuses where the subject isn’t the login’s any more, as after an erasure since it was read. @throws Failure NOT_SIGNED_IN */
async function requireSubject(
  change: Change,
  { issuer, subject }: Pick<TokenClaims, 'issuer' | 'subject'>,
  loginId: string,
): Promise<void> {
  const [still] = await change.rows(
    sql`select from login_subject where issuer = ${issuer} and subject = ${subject} and login_id = ${loginId} for key share`,
  );
  if (!still) throw signInAgain();
}

/** Notes on a new day that a person signed in. Their session is the provider's: here only the day is known. While nothing can be written they read on: the next call notes it. */
async function noteDay(
  db: Database,
  { issuer, subject }: TokenClaims,
  { loginId, lastSignInAt, now }: { loginId: string; lastSignInAt: string | null; now: Date },
): Promise<void> {
  if (lastSignInAt !== null && lastSignInAt >= instantBefore(now, DAY_MS)) return;
  const line = ownActivity('identity.signIn', 'Signed in at the OpenID provider');
  try {
    await db.change({ ...line, login: { issuer, subject } }, async change => {
      await requireSubject(change, { issuer, subject }, loginId);
      await noteSignIn(change, loginId);
    });
  } catch (error) {
    if (outageOf(error) === null) throw error;
  }
}

/** Stores the issue time of the token whose claims the login shows. */
const storeTokenTime = (change: Change, { issuer, subject }: TokenClaims, issuedAt: number) =>
  change
    .updateTable('loginSubject')
    .set({ notifiedAt: new Date(issuedAt * SECOND_MS).toISOString() })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute();
