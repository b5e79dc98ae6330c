/** Media type of a request to the registry's own provider that asks for the redirect as data. */
export const redirectAsJson = 'application/vnd.redirect+json';
/** A redirect of the provider as data; `signIn`: it leads to the password form of a new sign-in, whose forms carry this token. */
export type RedirectAsJson = { location: string; signIn?: { uid: string; csrf: string } };

/** True at the registry's own provider, which lives at the portal's address. */
export const isOwnProvider = ({ issuerUri, appUrl }: { issuerUri: string; appUrl: string }): boolean => issuerUri.startsWith(`${appUrl}/`);

/** Returns the endpoints of the registry's own provider: they are fixed, so that a sign-in need not ask for them (OpenID Connect Discovery 3). */
export const ownEndpoints = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  userinfo_endpoint: `${issuer}/me`,
  end_session_endpoint: `${issuer}/session/end`,
  check_session_iframe: `${issuer}/session/check`,
  revocation_endpoint: `${issuer}/token/revocation`,
});

/**
 * Cookie of the registry's own provider, for a minute after a sign-in: the name of the account that the portal selects in a browser the
 * person never used, so that its home is asked for with the first calls. Only a hint: each call checks what the caller may see.
 */
export const firstAccountCookie = 'first-account';

const REGISTERED = '#registered=';

/** Returns the hash with which the portal's sign-in form opens for a login that was just registered: its user name is filled in. Never sent to the server. */
export const registeredHash = (username: string): string => `${REGISTERED}${encodeURIComponent(username)}`;

/** Returns the user name of such a hash; null for any other. */
export function registeredIn(hash: string): string | null {
  if (!hash.startsWith(REGISTERED)) return null;
  try {
    return decodeURIComponent(hash.slice(REGISTERED.length)).slice(0, 254);
  } catch {
    return null;
  }
}
