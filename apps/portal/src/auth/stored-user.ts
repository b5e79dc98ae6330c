import type { Environment } from '@portal/contract/shell';

/** Claims of the identity token the portal reads (specification section 3). */
export type Claims = {
  sub: string;
  userid?: string;
  nickname?: string;
  display_name?: string;
  full_name?: string;
  name?: string;
  email?: string;
  amr?: string[];
  acr?: string;
  auth_time?: number;
  azp?: string;
  sid?: string;
};

/** Who is signed in, as the sign-in library keeps it in session storage. */
export type SignedInUser = { idToken: string; expiresAt: number; claims: Claims; returnTo?: unknown };

/** Where product calls find the identity token (specification section 4). */
const tokenKey = 'id_token';

/** Copies the identity token for product calls. */
export const copyToken = (idToken: string, storage: Storage = sessionStorage): void => storage.setItem(tokenKey, idToken);
/** The copy goes when the user goes. */
export const wipeToken = (storage: Storage = sessionStorage): void => storage.removeItem(tokenKey);
export const copiedToken = (storage: Storage = sessionStorage): string | null => storage.getItem(tokenKey);

/** The user id that per-person memory on this device is kept under. */
export const userIdOf = (claims: Claims): string => claims.userid || claims.sub;

type Kept = { id_token?: unknown; expires_at?: unknown; profile?: unknown };

/**
 * A user as the library stores it, checked: without an identity token of three parts and a subject there is none, however it came to
 * be stored.
 */
export function signedInUser(kept: Kept | null | undefined): SignedInUser | null {
  const { id_token: idToken, expires_at: stated, profile } = kept ?? {};
  if (typeof idToken !== 'string' || idToken.split('.').length !== 3) return null;
  if (typeof profile !== 'object' || profile === null) return null;
  // A provider need not say how long the access token lives; the identity token, our bearer, always says it.
  const expiresAt = stated ?? (profile as { exp?: unknown }).exp;
  if (typeof expiresAt !== 'number') return null;
  const claims = profile as Claims;
  return typeof claims.sub === 'string' && claims.sub !== '' ? { idToken, expiresAt, claims } : null;
}

/**
 * The stored user, read without loading the sign-in library, so that the shell can be painted at once. Null when there is none or
 * it has expired.
 */
export function storedUser(
  { issuerUri, clientId }: Pick<Environment, 'issuerUri' | 'clientId'>,
  storage: Storage = sessionStorage,
  nowSeconds = Date.now() / 1000,
): SignedInUser | null {
  try {
    const user = signedInUser(JSON.parse(storage.getItem(`oidc.user:${issuerUri}:${clientId}`) ?? 'null') as Kept | null);
    return user && user.expiresAt > nowSeconds ? user : null;
  } catch {
    return null;
  }
}
