import type { Database } from '../../../platform/database/index.ts';
import { OidcPayloads } from '../protocol/oidc-payloads.ts';

/** As long as the sign-in that the registration was part of, which the provider keeps for 15 minutes. */
const CONFIRMED_SECONDS = 900;

/** A login that was registered in a sign-in and confirmed by mail. */
export type ConfirmedRegistration = {
  loginId: string;
  /** When the person chose the password, in this sign-in, in ms since 1970. */
  passwordAt: number;
};

const confirmed = (db: Database): OidcPayloads => new OidcPayloads(db, 'ConfirmedRegistration');

/**
 * Remembers that the login registered in this sign-in exists now, so that the browser which registered it can go on without typing the password again.
 * @param uid of the sign-in; only the browser that holds its cookie can use it
 */
export const storeConfirmed = (db: Database, uid: string, registration: ConfirmedRegistration): Promise<void> =>
  confirmed(db).upsert(uid, registration as never, CONFIRMED_SECONDS);

/** Returns the login that was registered in this sign-in and confirmed, for one use; null for none. */
export async function takeConfirmed(db: Database, uid: string): Promise<ConfirmedRegistration | null> {
  const found = (await confirmed(db).find(uid)) as ConfirmedRegistration | undefined;
  if (!found) return null;
  await confirmed(db).destroy(uid);
  return { loginId: found.loginId, passwordAt: found.passwordAt };
}
