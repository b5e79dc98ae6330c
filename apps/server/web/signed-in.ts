/**
 * The person who is signed in in this tab, by what the portal stores on the same origin. A public page is the same for everyone, so that caches keep it; only scripts look. It is no proof: every
 * call checks who comes.
 */
export type TabPerson = { name: string; account: string | null; token: string };

type StoredUser = { id_token?: unknown; expires_at?: unknown; profile?: Readonly<Record<string, unknown>> };

/** The claims that a name is taken from, as `displayName` of the contract has them: an import of it here would be a file of its own on every page of the portal. */
const nameClaims = ['nickname', 'display_name', 'full_name', 'name'] as const;
const nameIn = (profile: Readonly<Record<string, unknown>>): string =>
  nameClaims
    .map(claim => profile[claim])
    .find((name): name is string => typeof name === 'string' && name.trim() !== '')
    ?.trim() ?? '';

/** Returns the person of this tab; null without one, or one whose sign-in has ended, or where storage is denied. */
export function personOfTab(): TabPerson | null {
  try {
    const key = Object.keys(sessionStorage).find(name => name.startsWith('oidc.user:'));
    if (key === undefined) return null;
    const { id_token: token, expires_at: ends, profile } = JSON.parse(sessionStorage.getItem(key) ?? '{}') as StoredUser;
    if (!profile || typeof token !== 'string' || typeof ends !== 'number' || ends * 1000 < Date.now()) return null;
    return {
      name: nameIn(profile),
      account: localStorage.getItem(`selected-account:${String(profile['userid'] || profile['sub'])}`),
      token,
    };
  } catch {
    return null;
  }
}

/** Whether someone has selected an account in this browser and not signed out since (decision 177): a new tab has no person of its own yet. */
function wasHere(): boolean {
  try {
    return Object.keys(localStorage).some(name => name.startsWith('selected-account:'));
  } catch {
    return false;
  }
}

/** Shows people who are signed in in this browser the way back in place of “Sign in”. */
export function showWayBack(link: HTMLAnchorElement, person: TabPerson | null): void {
  if (person?.name) {
    link.textContent = [person.name, person.account].filter(Boolean).join(', ');
    link.setAttribute('aria-label', `${link.textContent}: back to your account`);
  } else if (person !== null || wasHere()) link.textContent = 'Back to your account';
}
