import { sql } from 'kysely';
import type { Config } from '../../../config.ts';
import type { Change, Database, Read } from '../../../platform/database/index.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import type { NewAuthenticator } from './authenticator-enrolment.ts';
import { acceptCode, addAuthenticator, removeAuthenticator } from './authenticators.ts';
import { type ActivityOrigin, countWrongCode, deleteWrongCodes } from '../attempts/code-failures.ts';
import { startCoolDown } from './cool-down.ts';
import { isDemoPerson } from './demo-people.ts';
import type { Login } from '../logins/logins.ts';
import { notifyPerson } from '../logins/notices.ts';
import { addPasskey, type NewPasskey, removePasskey } from './passkeys.ts';
import { newRecoveryCodes, recoveryCodesLeft } from './recovery-codes.ts';
import { endOtherSessions, endSessions } from '../sessions/sessions.ts';

/**
 * Returns whether the person has a second factor: an authenticator app or a passkey; recovery codes alone don't count. Apps disabled by too many wrong
 * codes do count, or an attacker with the password could remove the second factor by guessing.
 */
export async function hasSecondFactor(read: Read, loginId: string): Promise<boolean> {
  const [row] = await read.rows<{ has: boolean }>(sql`select
    exists (select from login_totp where login_id = ${loginId})
    or exists (select from login_passkey where login_id = ${loginId}) as has`);
  return row!.has;
}

/**
 * Returns whether this registry requires the person to have a second factor (setting REQUIRE_MFA): every person, or those who may change the registry.
 * Demo people, whose passwords are public, are exempt under `privileged`.
 */
export async function mustHaveSecondFactor(
  { config, holdsPrivilege }: { config: Config; holdsPrivilege: (loginId: string) => Promise<boolean> },
  login: Pick<Login, 'loginId' | 'staff' | 'demoRole'>,
): Promise<boolean> {
  if (config.requireMfa !== 'privileged') return config.requireMfa === 'all';
  if (isDemoPerson(config, login)) return false;
  return login.staff || (await holdsPrivilege(login.loginId));
}

/** Removes all second factors of a person who lost them. Ends all sessions; registry changes wait a day (S27). */
export async function resetSecondFactors(change: Change, loginId: string): Promise<void> {
  await change.deleteFrom('loginTotp').where('loginId', '=', loginId).execute();
  await change.deleteFrom('loginPasskey').where('loginId', '=', loginId).execute();
  await change.deleteFrom('loginRecoveryCode').where('loginId', '=', loginId).execute();
  await deleteWrongCodes(change, loginId, 'totp');
  await deleteWrongCodes(change, loginId, 'recovery');
  await startCoolDown(change, loginId, 'factor-lost');
  await endSessions(change, loginId, 'second factor removed');
}

/**
 * Checks a one-time code at sign-in. Right: used up, and the count of wrong ones begins anew. Wrong: counted; a hundred in a row switch
 * the person's authenticator apps off.
 */
export async function verifySignInCode(
  { db, config, box }: { db: Database; config: Config; box: SecretBox },
  origin: ActivityOrigin,
  { loginId, code, now }: { loginId: string; code: string; now: Date },
): Promise<boolean> {
  if (await acceptCode(db, box, loginId, code.replaceAll(/\s/g, ''), now)) {
    await deleteWrongCodes(db.unrecorded, loginId, 'totp');
    return true;
  }
  await countWrongCode(db, config, origin, loginId, 'totp');
  return false;
}

/** A factor that was proven: a passkey, or an authenticator app. */
export type NewFactor = NewPasskey | NewAuthenticator;

export type KeepFactor = {
  /** Name given by the person. */
  name: string;
  /** The session that continues; all others end. Null during sign-in, when there is none yet. */
  keepSid: string | null;
  userAgent?: string | null | undefined;
  /** The person signed in with a recovery code: the authenticator apps they had are lost, and go. */
  replacesLost?: boolean;
};

/**
 * Keeps a new factor: its row, a notice, the end of other sessions, and recovery codes when the person has none that can be used, to be shown once.
 * @throws Failure INVALID_REQUEST when there are too many, it is kept already, or the name is none.
 */
export async function storeFactor(
  change: Change,
  config: Config,
  factor: NewFactor,
  { name, keepSid, userAgent, replacesLost = false }: KeepFactor,
): Promise<{ recoveryCodes: string[] | null }> {
  const { loginId } = factor;
  const passkey = 'credentialId' in factor;
  if (replacesLost) await change.deleteFrom('loginTotp').where('loginId', '=', loginId).execute();
  if (passkey) await addPasskey(change, factor, name);
  else await addAuthenticator(change, config, { ...factor, name });
  // Apps that were switched off stay so; what is new begins with no wrong code behind it.
  if (!passkey) await deleteWrongCodes(change, loginId, 'totp');
  const recoveryCodes = (await recoveryCodesLeft(change, loginId)) === 0 ? await newRecoveryCodes(change, loginId) : null;
  const what = passkey ? 'passkey' : 'authenticator app';
  await change.note({ factor: passkey ? 'passkey' : 'totp', name, recoveryCodes: recoveryCodes !== null, replacesLost, userAgent });
  await notifyPerson(change, config, {
    loginId,
    userAgent,
    subject: `A${passkey ? '' : 'n'} ${what} was added`,
    body: `The ${what} "${name}" was added to your login.${replacesLost ? ' Your previous authenticator apps were removed.' : ''}${recoveryCodes ? ' New recovery codes were created. The old ones no longer work.' : ''} All other sessions were ended.`,
  });
  await endOtherSessions(change, loginId, keepSid, `${what} added`);
  return { recoveryCodes };
}

/** Which factor of a person. */
export type FactorRef = { kind: 'passkey' | 'totp'; id: string; name: string };

/** Takes a factor away, with a notice and the end of other sessions. False when the person has no such factor. */
export async function dropFactor(
  change: Change,
  config: Config,
  loginId: string,
  { kind, id, name }: FactorRef,
  { keepSid, userAgent }: { keepSid: string; userAgent?: string | null | undefined },
): Promise<boolean> {
  const passkey = kind === 'passkey';
  if (!(await (passkey ? removePasskey : removeAuthenticator)(change, loginId, id))) return false;
  const none = !(await hasSecondFactor(change, loginId));
  // Without a factor there is nothing left to recover.
  if (none) await change.deleteFrom('loginRecoveryCode').where('loginId', '=', loginId).execute();
  const what = passkey ? 'passkey' : 'authenticator app';
  await change.note({ factor: kind, name, last: none });
  await notifyPerson(change, config, {
    loginId,
    userAgent,
    subject: `A${passkey ? '' : 'n'} ${what} was removed`,
    body: `The ${what} "${name}" was removed from your login.${none ? ' It was the last one. Your login no longer has two-factor authentication and the recovery codes no longer work.' : ''} All other sessions were ended.`,
  });
  await endOtherSessions(change, loginId, keepSid, `${what} removed`);
  return true;
}

/** Replaces the recovery codes, with a notice and the end of other sessions; to be shown once. */
export async function replaceRecoveryCodes(
  change: Change,
  config: Config,
  loginId: string,
  { keepSid, userAgent }: { keepSid: string; userAgent?: string | null | undefined },
): Promise<string[]> {
  const codes = await newRecoveryCodes(change, loginId);
  await notifyPerson(change, config, {
    loginId,
    userAgent,
    subject: 'New recovery codes were made',
    body: 'New recovery codes were created for your login. The old ones no longer work. All other sessions were ended.',
  });
  await endOtherSessions(change, loginId, keepSid, 'recovery codes replaced');
  return codes;
}
