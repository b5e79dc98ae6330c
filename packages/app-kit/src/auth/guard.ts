/** The state the route guard decides by. */
export type Arriving = {
  isPublic: boolean;
  /** The configuration has loaded an issuer address. */
  issuerKnown: boolean;
  authenticated: boolean;
  /** Whether a stored user was found; undefined before the lookup. */
  storedUser?: boolean;
};

/**
 * Decides about a route (specification, section 4): a public page is always allowed; otherwise wait for the issuer; an authenticated person
 * continues; otherwise look for the stored user, and without one start sign-in.
 */
export function guard({ isPublic, issuerKnown, authenticated, storedUser }: Arriving): 'allow' | 'wait' | 'look' | 'sign-in' {
  if (isPublic) return 'allow';
  if (!issuerKnown) return 'wait';
  if (authenticated || storedUser) return 'allow';
  return storedUser === undefined ? 'look' : 'sign-in';
}
