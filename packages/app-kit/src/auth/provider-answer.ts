/**
 * Returns the parameters of the provider's answer to a sign-in in the address of the way back: those behind the `#`, where our own provider puts
 * them, or those of the query (OAuth 2.0 Multiple Response Types, 2.1).
 */
export function answerIn({ search, hash }: Pick<Location, 'search' | 'hash'>): URLSearchParams {
  const fragment = new URLSearchParams(hash.slice(1));
  return fragment.has('state') || fragment.has('code') || fragment.has('error') ? fragment : new URLSearchParams(search);
}
