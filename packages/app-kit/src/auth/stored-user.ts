import type { Environment } from '@portal/contract/shell/shell';

/** Claims of the identity token the portal reads (specification, section 3). */
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

/** The signed-in user, as the sign-in library stores it in session storage. */
export type SignedInUser = { idToken: string; expiresAt: number; claims: Claims; returnTo?: unknown };

type ClaimNames = Environment['claimNames'];

/** Storage key at which product calls find the identity token (specification, section 4). */
const tokenKey = 'id_token';

/** The storage of this tab; null if the browser denies access. */
export function tabStorage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}

/**
 * Copies the identity token for product calls.
 * @throws DOMException QuotaExceededError when the storage is full
 */
export const copyToken = (idToken: string): void => tabStorage()?.setItem(tokenKey, idToken);
/** The copy is removed with the user. */
export const clearToken = (): void => tabStorage()?.removeItem(tokenKey);
export const copiedToken = (): string | null => tabStorage()?.getItem(tokenKey) ?? null;

/** The user id under which this device stores data of a person. */
export const userIdOf = (claims: Claims): string => claims.userid || claims.sub;

/** Returns the identifier of a session's events: its `sid`, or the person if the provider names no session. */
export const sessionOf = (claims: Claims): string => claims.sid ?? claims.sub;

type StoredUser = { id_token?: unknown; expires_at?: unknown; profile?: unknown };

/**
 * A user as the library stores it, checked: without an identity token of three parts and a subject there is none, however it came to
 * be stored. It ends with the first of its two tokens: the access token's life is what the library renews by, the identity token is
 * our bearer.
 */
export function signedInUser(kept: StoredUser | null | undefined, claimNames: ClaimNames = {}): SignedInUser | null {
  const { id_token: idToken, expires_at: stated, profile } = kept ?? {};
  if (typeof idToken !== 'string' || idToken.split('.').length !== 3) return null;
  if (typeof profile !== 'object' || profile === null) return null;
  const ends = [stated, (profile as { exp?: unknown }).exp].filter(end => typeof end === 'number');
  if (ends.length === 0) return null;
  const claims = named(profile as Claims, claimNames);
  return typeof claims.sub === 'string' && claims.sub !== '' ? { idToken, expiresAt: Math.min(...ends), claims } : null;
}

/** The claims under the names of the specification, whatever the provider calls them. */
function named(profile: Claims, claimNames: ClaimNames): Claims {
  const claims: Record<string, unknown> = { ...profile };
  for (const [ours, theirs] of Object.entries(claimNames)) claims[ours] = (profile as Record<string, unknown>)[theirs];
  return claims as Claims;
}

type Provider = Pick<Environment, 'issuerUri' | 'clientId' | 'claimNames'>;

/** Returns the key under which the sign-in library stores the user of a tab. */
export const userKeyOf = ({ issuerUri, clientId }: Pick<Provider, 'issuerUri' | 'clientId'>): string =>
  `oidc.user:${issuerUri}:${clientId}`;

function readStoredUser(provider: Provider): SignedInUser | null {
  try {
    return signedInUser(JSON.parse(tabStorage()?.getItem(userKeyOf(provider)) ?? 'null') as StoredUser | null, provider.claimNames);
  } catch {
    return null;
  }
}

/**
 * Returns the stored user without loading the sign-in library, so that the shell can be painted immediately. Null if there is none or
 * it has expired.
 */
export function storedUser(provider: Provider, nowSeconds = Date.now() / 1000): SignedInUser | null {
  const user = readStoredUser(provider);
  return user && user.expiresAt > nowSeconds ? user : null;
}

/** Returns who is signed in in this tab, by its storage alone; null when no one is. */
export function signedInHere(provider: Provider): { userId: string; token: string } | null {
  const user = storedUser(provider);
  const token = copiedToken();
  return user && token === user.idToken ? { userId: userIdOf(user.claims), token } : null;
}
