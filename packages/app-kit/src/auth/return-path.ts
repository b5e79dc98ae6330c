import { safeReturnPath } from '@portal/contract/link';

/** Returns the page where sign-in was requested; the start page instead of one that is useless to a signed-in person. */
export function returnPath(returnTo: unknown): string {
  const path = safeReturnPath(returnTo);
  return path.startsWith('/auth-callback') || path === '/logout' || path === '/?guest' ? '/' : path;
}

type Thrown = { error?: unknown; state?: { returnTo?: unknown; expectedSub?: unknown } | null };

/** Returns the page on which a second factor was asked for, if the person gave that up on the provider's page; null for any other failure. */
export function cancelledOn(thrown: unknown): string | null {
  const { error, state } = (thrown ?? {}) as Thrown;
  return error === 'access_denied' && typeof state?.expectedSub === 'string' ? returnPath(state.returnTo) : null;
}
