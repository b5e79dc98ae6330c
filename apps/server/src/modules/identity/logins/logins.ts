import { sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';
import { hashPassword } from './password.ts';
import { endSessions } from '../sessions/sessions.ts';
import { announce } from '../sessions/session-validity.ts';

const columns = [
  'loginId',
  'username',
  'email',
  'emailVerified',
  'fullName',
  'displayName',
  'nickname',
  'staff',
  'disabledAt',
  'frozenAt',
  'frozenEmail',
  'demoRole',
  'sessionsEnded',
  'createdAt',
] as const;

/** SQL of a row of the table `login` as the JSON of a `Login`; its instants end in an offset. */
export const loginAsJson = (table: string): string =>
  `json_build_object(${columns.map(column => `'${column}', ${table}.${column.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)}`).join(', ')})`;

/** A person who can sign in. */
export type Login = {
  loginId: string;
  /** Lower case; what is typed at sign-in, or the e-mail address. */
  username: string;
  email: string;
  emailVerified: boolean;
  fullName: string;
  displayName: string;
  nickname: string;
  /** Registry staff. What they may do follows from their roles (module `roles`). */
  staff: boolean;
  /** When sign-in was disabled for the person. */
  disabledAt: string | null;
  /** When sign-in was blocked, because the person reported a change as not their own (`freeze.ts`). */
  frozenAt: string | null;
  /** The only address that can unfreeze the login. */
  frozenEmail: string | null;
  /** Role of a demo person; null for all others. */
  demoRole: string | null;
  /** Number of times all their sessions were ended: a sign-in that began before the last time is refused. */
  sessionsEnded: number;
  createdAt: string;
};

export type NewLogin = {
  /** Only set where it must be known beforehand, as for demo people. */
  loginId?: string;
  username: string;
  email: string;
  emailVerified?: boolean;
  fullName: string;
  displayName?: string;
  nickname?: string;
  staff?: boolean;
  demoRole?: string;
};

/**
 * Adds a person and returns the login id. Without a password (`setPassword`) or a subject at a foreign provider (`addSubject`) sign-in
 * as them is impossible.
 * @throws Failure INVALID_REQUEST naming what is invalid or taken.
 */
export async function createLogin(change: Change, given: NewLogin): Promise<string> {
  const username = given.username.trim().toLowerCase();
  const email = given.email.trim();
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(username))
    throw refuse('INVALID_REQUEST', {
      detail: `a user name is 1 to 64 letters, digits, dots, hyphens and underscores; "${given.username}" is not`,
    });
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw refuse('INVALID_REQUEST', { detail: `"${given.email}" is not an e-mail address` });
  const [taken] = await findLogins(change, [username, email]);
  if (taken)
    throw refuse('INVALID_REQUEST', {
      detail: taken.username === username ? `the user name ${username} is taken` : `the e-mail address ${email} belongs to another login`,
    });
  const { loginId } = await change
    .insertInto('login')
    .values({
      ...(given.loginId !== undefined && { loginId: given.loginId }),
      username,
      email,
      emailVerified: given.emailVerified ?? false,
      fullName: given.fullName,
      displayName: given.displayName ?? given.fullName,
      nickname: given.nickname ?? given.fullName.split(' ')[0]!,
      staff: given.staff ?? false,
      demoRole: given.demoRole ?? null,
      createdAt: change.now,
    })
    .returning('loginId')
    .executeTakeFirstOrThrow();
  return loginId;
}

const findLogins = (read: Read, names: string[]): Promise<Login[]> => {
  const lower = names.map(name => name.trim().toLowerCase());
  return read
    .selectFrom('login')
    .select(columns)
    .where(eb => eb.or([eb('username', 'in', lower), eb(sql<string>`lower(email)`, 'in', lower)]))
    .execute();
};

/** The person with a user name or e-mail address, in any capitalisation. */
export async function findLogin(read: Read, usernameOrEmail: string): Promise<Login | null> {
  const found = await findLogins(read, [usernameOrEmail]);
  // A user name has no @ and an address has one, so there is never more than one.
  return found[0] ?? null;
}

export async function loginById(read: Read, loginId: string): Promise<Login | null> {
  return (await read.selectFrom('login').select(columns).where('loginId', '=', loginId).executeTakeFirst()) ?? null;
}

/** Locks the row of a login until the change ends, so that two requests of one person run one after the other. */
export async function lockLogin(change: Change, loginId: string): Promise<void> {
  await change.selectFrom('login').select('loginId').where('loginId', '=', loginId).forNoKeyUpdate().execute();
}

/** Returns the person with a verified address who may act by e-mail: not registry staff, and not a disabled or frozen login. */
export async function senderAt(read: Read, email: string): Promise<Login | null> {
  const login = await findLogin(read, email);
  const acts = login?.emailVerified && login.email.toLowerCase() === email.toLowerCase() && !login.staff;
  return acts && login.disabledAt === null && login.frozenAt === null ? login : null;
}

/** Links a login to a person at a foreign OpenID provider. People are identified by issuer and subject, never by e-mail. */
export async function addSubject(change: Change, loginId: string, { issuer, subject }: { issuer: string; subject: string }): Promise<void> {
  await change.insertInto('loginSubject').values({ issuer, subject, loginId }).execute();
}

/** Sets or replaces the password. Open sessions continue; a caller who changes it for security ends them too (`endSessions`). */
export async function setPassword(change: Change, loginId: string, password: string): Promise<void> {
  await setPasswordHash(change, loginId, await hashPassword(password));
}

/** Like `setPassword` with a hash made beforehand, so that the change doesn't wait for hashing. */
export async function setPasswordHash(change: Change, loginId: string, hash: string): Promise<void> {
  const row = { hash, setAt: change.now };
  await change
    .insertInto('loginPassword')
    .values({ loginId, ...row })
    .onConflict(conflict => conflict.column('loginId').doUpdateSet(row))
    .execute();
  // A sign-in under way has proven the previous password, as has a registration.
  await change
    .deleteFrom('oidcPayload')
    .where('model', 'in', ['SignInProgress', 'ConfirmedRegistration'])
    .where(sql<string>`payload ->> 'loginId'`, '=', loginId)
    .execute();
}

/** Makes a person registry staff. What they may do follows from their roles. */
export async function makeStaff(change: Change, loginId: string): Promise<void> {
  await change.updateTable('login').set({ staff: true }).where('loginId', '=', loginId).execute();
  await announce(change, { login: loginId });
}

/** Makes a person of registry staff an ordinary person again, whose sessions are ended. Call it once their roles are withdrawn. */
export async function endStaffLogin(change: Change, loginId: string): Promise<void> {
  await change.updateTable('login').set({ staff: false }).where('loginId', '=', loginId).execute();
  await announce(change, { login: loginId });
  await endSessions(change, loginId, 'no longer registry staff');
}

/** Disables sign-in for the person and ends every open session immediately. */
export async function disableLogin(change: Change, loginId: string): Promise<void> {
  await change
    .updateTable('login')
    .set({ disabledAt: change.now })
    .where('loginId', '=', loginId)
    .where('disabledAt', 'is', null)
    .execute();
  await announce(change, { login: loginId });
  await endSessions(change, loginId, 'login disabled');
}

/** Lets a person sign in again whose login was disabled. Roles and sessions that ended with it stay ended. Who was erased stays so. */
export async function enableLogin(change: Change, loginId: string): Promise<'enabled' | 'not disabled' | 'erased'> {
  if ((await change.rows(sql`select from erasure where login_id = ${loginId} and state = 'erased'`)).length > 0) return 'erased';
  const { numUpdatedRows } = await change
    .updateTable('login')
    .set({ disabledAt: null })
    .where('loginId', '=', loginId)
    .where('disabledAt', 'is not', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return 'not disabled';
  await announce(change, { login: loginId });
  return 'enabled';
}

/** Returns a demo person's password, which is public: that of corin is `demo-registry-corin`. */
export const demoPasswordOf = (username: string): string => `demo-registry-${username}`;
