import { type RawBuilder, sql } from 'kysely';
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
import { identityTexts } from '../mail-texts.ts';

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
 * SQL: the person of a login has a second factor: an enabled app or a passkey, or those of an identity provider, which asks for its own. Whether a session was confirmed with one is checked on each call.
 * @param loginId a column, such as `c.login_id`
 */
export const hasFactor = (loginId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(exists (select from login_totp t where t.login_id = ${loginId} and t.disabled_at is null)
    or exists (select from login_passkey k where k.login_id = ${loginId}) or exists (select from login_subject s where s.login_id = ${loginId}))`;

/**
 * SQL: the person of a login gets in with a password and nothing else. Who signs in with a passkey, or at an identity provider, which asks for its own factors, doesn’t.
 * @param loginId a column, such as `c.login_id`
 */
export const hasPasswordAlone = (
  loginId: RawBuilder<unknown>,
  { embeddedProvider }: Pick<Config, 'embeddedProvider'>,
): RawBuilder<boolean> =>
  sql<boolean>`(${embeddedProvider}::boolean and exists (select from login_password w where w.login_id = ${loginId})
    and not exists (select from login_totp t where t.login_id = ${loginId} and t.disabled_at is null)
    and not exists (select from login_passkey p where p.login_id = ${loginId}))`;

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
 * Checks a one-time code at sign-in. A right code is used up and resets the count of wrong ones. A hundred wrong ones in a row disable the person's
 * authenticator apps.
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
  /** The person signed in with a recovery code: their authenticator apps are lost, and are removed. */
  replacesLost?: boolean;
};

/**
 * Stores a new factor, notifies the person and ends other sessions. Returns new recovery codes, to show once, if the person has no usable ones.
 * @throws Failure INVALID_REQUEST for too many, a known one, or an invalid name.
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
  // Disabled apps stay disabled; new ones start without wrong codes.
  if (!passkey) await deleteWrongCodes(change, loginId, 'totp');
  const recoveryCodes = (await recoveryCodesLeft(change, loginId)) === 0 ? await newRecoveryCodes(change, loginId) : null;
  const what = passkey ? 'passkey' : 'authenticator app';
  await change.note({ factor: passkey ? 'passkey' : 'totp', name, recoveryCodes: recoveryCodes !== null, replacesLost, userAgent });
  await notifyPerson(change, config, {
    loginId,
    userAgent,
    text: identityTexts.written('factorAdded', {
      outcome: passkey ? '' : 'n',
      what,
      fullName: name,
      outcome2: replacesLost ? ' Your previous authenticator apps were removed.' : '',
      outcome3: recoveryCodes ? ' New recovery codes were created. The old ones no longer work.' : '',
    }),
  });
  await endOtherSessions(change, loginId, keepSid, `${what} added`);
  return { recoveryCodes };
}

/** Which factor of a person. */
export type FactorRef = { kind: 'passkey' | 'totp'; id: string; name: string };

/** Removes a factor, with a notice, and ends other sessions. False when the person has no such factor. */
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
    text: identityTexts.written('factorRemoved', {
      outcome: passkey ? '' : 'n',
      what,
      fullName: name,
      outcome2: none
        ? ' It was the last one. Your login no longer has two-factor authentication and the recovery codes no longer work.'
        : '',
    }),
  });
  await endOtherSessions(change, loginId, keepSid, `${what} removed`);
  return true;
}

/** Replaces the recovery codes, with a notice, and ends other sessions. The codes are shown once. */
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
    text: identityTexts.written('newRecoveryCodesWereMade', {}),
  });
  await endOtherSessions(change, loginId, keepSid, 'recovery codes replaced');
  return codes;
}
