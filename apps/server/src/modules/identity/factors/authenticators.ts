import { Secret } from 'otpauth';
import type { Change, Database, Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';
import { openSecretBox, resealRows, type SecretBox, type Secrets } from '../../../platform/secret-box.ts';
import { factorName } from './factor-names.ts';
import { newTotpSecret, stepOf } from './totp.ts';

/** An authenticator app of a person (RFC 6238). */
export type Authenticator = {
  totpId: string;
  /** Name given by the person. */
  name: string;
  enrolledAt: string;
  lastUsedAt: string | null;
  /** When its codes were disabled by too many wrong ones in a row. */
  disabledAt: string | null;
};

export const MAX_AUTHENTICATORS = 20;
const sealName = (loginId: string): string => `totp ${loginId}`;

/** The authenticator apps of a person, oldest first. */
export function listAuthenticators(read: Read, loginId: string): Promise<Authenticator[]> {
  return read
    .selectFrom('loginTotp')
    .leftJoin('totpStep', 'totpStep.totpId', 'loginTotp.totpId')
    .select(['loginTotp.totpId', 'name', 'enrolledAt', 'totpStep.usedAt as lastUsedAt', 'disabledAt'])
    .where('loginId', '=', loginId)
    .orderBy('enrolledAt')
    .orderBy('loginTotp.totpId')
    .execute();
}

/**
 * Enrols an additional authenticator app. Returns its secret in base 32 (RFC 4648).
 * @param secret by default a new one of 20 bytes.
 * @param lastStep the time step of the code that proved it, which can't be used again.
 * @throws Failure INVALID_REQUEST if there are too many, or the name is invalid.
 */
export async function addAuthenticator(
  change: Change,
  secrets: Secrets,
  {
    loginId,
    name = 'Authenticator app',
    secret = newTotpSecret(),
    lastStep,
  }: { loginId: string; name?: string; secret?: string; lastStep?: number },
): Promise<string> {
  await change.selectFrom('login').select('loginId').where('loginId', '=', loginId).forUpdate().execute();
  const there = await listAuthenticators(change, loginId);
  if (there.length >= MAX_AUTHENTICATORS)
    throw refuse('INVALID_REQUEST', { detail: `you can have at most ${MAX_AUTHENTICATORS} authenticator apps. Remove one first` });
  const sealedSecret = openSecretBox(secrets).seal(sealName(loginId), Secret.fromBase32(secret).bytes);
  const { totpId } = await change
    .insertInto('loginTotp')
    .values({ loginId, name: factorName(name), sealedSecret, enrolledAt: change.now })
    .returning('totpId')
    .executeTakeFirstOrThrow();
  if (lastStep !== undefined) await change.insertInto('totpStep').values({ totpId, lastStep, usedAt: change.now }).execute();
  return secret;
}

/**
 * Renames an authenticator. False when the person has no such authenticator. @throws Failure INVALID_REQUEST for an invalid name.
 */
export async function renameAuthenticator(change: Change, loginId: string, totpId: string, name: string): Promise<boolean> {
  const { numUpdatedRows } = await change
    .updateTable('loginTotp')
    .set({ name: factorName(name) })
    .where('loginId', '=', loginId)
    .where('totpId', '=', totpId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Removes an authenticator. False when the person has no such authenticator. */
export async function removeAuthenticator(change: Change, loginId: string, totpId: string): Promise<boolean> {
  const { numDeletedRows } = await change
    .deleteFrom('loginTotp')
    .where('loginId', '=', loginId)
    .where('totpId', '=', totpId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Reseals the secrets of all authenticator apps from the old SECRET_KEY to the new one. Returns how many. */
export async function resealAuthenticators(change: Change, box: SecretBox): Promise<number> {
  return resealRows(
    await change.selectFrom('loginTotp').select(['totpId', 'loginId', 'sealedSecret']).forUpdate().execute(),
    ({ loginId, sealedSecret }) => box.reseal(sealName(loginId), sealedSecret),
    ({ totpId }, anew) => change.updateTable('loginTotp').set({ sealedSecret: anew }).where('totpId', '=', totpId).execute(),
  );
}

/** The secrets of the usable authenticators, with the last time step used of each. */
export async function authenticatorSecrets(
  read: Read,
  box: SecretBox,
  loginId: string,
): Promise<{ totpId: string; secret: Buffer; lastStep: number | null }[]> {
  const rows = await read
    .selectFrom('loginTotp')
    .leftJoin('totpStep', 'totpStep.totpId', 'loginTotp.totpId')
    .select(['loginTotp.totpId', 'sealedSecret', 'lastStep'])
    .where('loginId', '=', loginId)
    .where('disabledAt', 'is', null)
    .orderBy('enrolledAt')
    .execute();
  return rows.map(({ totpId, sealedSecret, lastStep }) => ({
    totpId,
    secret: box.open(sealName(loginId), sealedSecret),
    lastStep: lastStep === null ? null : Number(lastStep),
  }));
}

/**
 * Accepts a one-time code of any authenticator of the person, once: a step, or an earlier one, is not accepted again, even if a code is sent twice at
 * the same time (S4). Null when the code is wrong or used.
 */
export async function acceptCode(
  db: Database,
  box: SecretBox,
  loginId: string,
  code: string,
  now: Date,
): Promise<{ totpId: string } | null> {
  for (const { totpId, secret } of await authenticatorSecrets(db.read, box, loginId)) {
    const step = stepOf(secret, code, now);
    if (step !== null && (await takeStep(db, totpId, step, now))) return { totpId };
  }
  return null;
}

async function takeStep(db: Database, totpId: string, step: number, now: Date): Promise<boolean> {
  const row = { lastStep: step, usedAt: now.toISOString() };
  const { numInsertedOrUpdatedRows } = await db.unrecorded
    .insertInto('totpStep')
    .values({ totpId, ...row })
    .onConflict(conflict => conflict.column('totpId').doUpdateSet(row).where('totpStep.lastStep', '<', step))
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}
