/** What the route guard knows when a page is asked for. */
export type Arriving = {
  isPublic: boolean;
  /** The configuration has loaded an issuer address. */
  issuerKnown: boolean;
  authenticated: boolean;
  /** A stored user was looked for: found or not; undefined while nobody looked. */
  storedUser?: boolean;
};

/**
 * The route guard (specification, section 4): a public page is always allowed; otherwise wait for the issuer; a person who is
 * authenticated goes on; otherwise the stored user is looked for, and without one sign-in starts.
 */
export function guard({ isPublic, issuerKnown, authenticated, storedUser }: Arriving): 'allow' | 'wait' | 'look' | 'sign-in' {
  if (isPublic) return 'allow';
  if (!issuerKnown) return 'wait';
  if (authenticated || storedUser) return 'allow';
  return storedUser === undefined ? 'look' : 'sign-in';
}
