import type { Config } from '../../../config.ts';
import type { Change, Database, Read } from '../../../platform/database/index.ts';
import type { ActivityOrigin } from '../attempts/code-failures.ts';
import { endLinks } from '../logins/login-links.ts';
import { type Login, setPasswordHash } from '../logins/logins.ts';
import { notifyPerson } from '../logins/notices.ts';
import { listPasskeys } from '../factors/passkeys.ts';
import type { PasswordPolicy } from './password-policy.ts';
import { hashPassword, verifyPassword } from '../logins/password.ts';
import { recoveryCodesLeft } from '../factors/recovery-codes.ts';
import { endOtherSessions } from '../sessions/sessions.ts';
import { countAttempt, waitWords } from '../attempts/sign-in-failures.ts';
import { identityTexts } from '../mail-texts.ts';

type Tools = { db: Database; config: Config; policy: PasswordPolicy; clock: () => Date };
type Who = { login: Login; sid: string };

/** When the present password was set (ISO 8601); null without a password. */
export async function passwordSetAt(read: Read, loginId: string): Promise<string | null> {
  const row = await read.selectFrom('loginPassword').select('setAt').where('loginId', '=', loginId).executeTakeFirst();
  return row?.setAt ?? null;
}

/** The error, with its field. */
export type PasswordRefusal = { field: 'current' | 'password'; words: string; waitSeconds?: number };

/**
 * Changes the password, or sets the first one of a login that has none: a notice, and all other sessions end.
 * @param given `current` counts only when there is a password.
 * @returns what was wrong; null when it was changed.
 */
export async function changePassword(
  { db, config, policy, clock }: Tools,
  origin: ActivityOrigin,
  { login, sid }: Who,
  given: { current: string; password: string },
): Promise<PasswordRefusal | null> {
  const { loginId } = login;
  const kept = await db.read.selectFrom('loginPassword').select('hash').where('loginId', '=', loginId).executeTakeFirst();
  if (kept) {
    const counted = await countAttempt(db, { guessed: 'password', name: loginId, loginId, address: origin.address ?? '', now: clock() });
    if (counted.waitSeconds > 0) return { field: 'current', words: waitWords(counted.waitSeconds), waitSeconds: counted.waitSeconds };
    if (!(await verifyPassword(kept.hash, given.current)).matches) return { field: 'current', words: 'Wrong password.' };
    await counted.succeeded();
  }
  if (kept && given.password === given.current) return { field: 'password', words: 'This is your current password. Choose another one.' };
  const words = await policy.problemOf(given.password, await policy.ownerOf(login));
  if (words !== null) return { field: 'password', words };
  const hash = await hashPassword(given.password);
  const { userAgent, ...who } = origin;
  const verb = kept ? 'changed' : 'set';
  const line = kept
    ? { action: 'identity.changePassword', summary: 'Changed the password' }
    : { action: 'identity.setPassword', summary: 'Set a password' };
  await db.change({ ...who, ...line }, async change => {
    await setPasswordHash(change, loginId, hash);
    await notifyPerson(change, config, {
      loginId,
      userAgent,
      text: identityTexts.written('passwordChanged', { verb }),
    });
    await endLinks(change, loginId, 'reset-password');
    await endOtherSessions(change, loginId, sid, `password ${verb}`);
  });
  return null;
}

/** Returns whether the person can do without a password: two passkeys, or one and recovery codes, so that losing a device does not lock them out. */
export async function canDropPassword(read: Read, loginId: string): Promise<boolean> {
  const passkeys = (await listPasskeys(read, loginId)).length;
  return passkeys >= 2 || (passkeys === 1 && (await recoveryCodesLeft(read, loginId)) > 0);
}

/** Removes the password, with a notice, and ends other sessions. False if there is none, or nothing else to sign in with. */
export async function removePassword({ db, config }: Tools, origin: ActivityOrigin, { login: { loginId }, sid }: Who): Promise<boolean> {
  if (!(await canDropPassword(db.read, loginId))) return false;
  const { userAgent, ...who } = origin;
  const nothing = Symbol('no password to remove');
  try {
    await db.change({ ...who, action: 'identity.removePassword', summary: 'Removed the password' }, async change => {
      await lockLogin(change, loginId);
      const { numDeletedRows } = await change.deleteFrom('loginPassword').where('loginId', '=', loginId).executeTakeFirstOrThrow();
      // A passkey may have gone in the meantime.
      if (numDeletedRows === 0n || !(await canDropPassword(change, loginId))) throw nothing;
      await notifyPerson(change, config, {
        loginId,
        userAgent,
        text: identityTexts.written('passwordRemoved', {}),
      });
      await endOtherSessions(change, loginId, sid, 'password removed');
    });
    return true;
  } catch (error) {
    if (error === nothing) return false;
    throw error;
  }
}

const lockLogin = (change: Change, loginId: string): Promise<unknown> =>
  change.selectFrom('login').select('loginId').where('loginId', '=', loginId).forUpdate().execute();
