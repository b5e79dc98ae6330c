import type { Environment } from '@portal/contract/shell/shell';
import { forgetOtherTabs, mayBeOtherTabs, registerTab } from './open-tabs.ts';
import { copyToken, sessionOf, signedInUser, tabStorage, userKeyOf } from './stored-user.ts';

type Provider = Pick<Environment, 'issuerUri' | 'clientId' | 'claimNames' | 'renewMode'>;
/** `user` as the sign-in library stores it. */
type Message = { kind: 'who is signed in' } | { kind: 'signed in'; user: string };

/** How long a new tab waits for the others, and how much longer for one that disagrees. */
const patienceMs = 250;
const doubtMs = 20;
/** A token that ends sooner isn't worth handing over. */
const leastSeconds = 30;

const channelOf = ({ issuerUri, clientId }: Provider): BroadcastChannel => new BroadcastChannel(`portal-tabs:${issuerUri}:${clientId}`);

/** The state of the browser at our own provider (OpenID Connect Session Management 1.0); empty when no one is signed in there. */
const browserState = (): string => /(?:^|;\s*)(?:__Host-)?op_state=([^;]*)/.exec(document.cookie)?.[1] ?? '';

/** True when a user belongs to the session that the browser has at the provider now: not ended, and no other person's (ibid., 3.2). */
async function isOfThisSession(sessionState: unknown, clientId: string): Promise<boolean> {
  const [hash, salt] = typeof sessionState === 'string' ? sessionState.split('.') : [];
  const state = browserState();
  if (!hash || !salt || !state || !globalThis.crypto?.subtle) return false;
  const text = new TextEncoder().encode(`${clientId} ${window.location.origin} ${state} ${salt}`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  return (
    btoa(String.fromCharCode(...digest))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '') === hash
  );
}

/** Returns who is signed in according to the other tabs, as the sign-in library stores it; null if none answers, or they disagree. */
function requestFromOtherTabs(provider: Provider): Promise<string | null> {
  return new Promise(resolve => {
    const channel = channelOf(provider);
    const received = new Map<string, string>();
    const done = (): void => {
      clearTimeout(patience);
      channel.close();
      if (received.size === 0) forgetOtherTabs();
      resolve(received.size === 1 ? [...received.values()][0]! : null);
    };
    const patience = setTimeout(done, patienceMs);
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind !== 'signed in') return;
      const user = signedInUser(parsed(data.user), provider.claimNames);
      if (!user || user.expiresAt - leastSeconds < Date.now() / 1000) return;
      received.set(sessionOf(user.claims), data.user);
      setTimeout(done, doubtMs);
    };
    channel.postMessage({ kind: 'who is signed in' } satisfies Message);
  });
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown> | null;
  } catch {
    return null;
  }
}

/**
 * Signs a new tab in like the existing tabs: copies their user, including tokens, into its own session storage. Only what belongs to the
 * session that this browser has at our own provider is taken. With refresh tokens, and where the provider tells no state, nothing is asked:
 * the tab signs in for itself. See docs/decisions/0050-sign-in-without-waiting.md.
 */
export async function joinOtherTabs(provider: Provider): Promise<void> {
  const storage = tabStorage();
  if (!storage || storage.getItem(userKeyOf(provider)) || provider.renewMode !== 'iframe' || browserState() === '' || !mayBeOtherTabs())
    return;
  const found = await requestFromOtherTabs(provider);
  const kept = found === null ? null : parsed(found);
  const user = signedInUser(kept, provider.claimNames);
  if (found === null || !user || kept?.['refresh_token'] !== undefined) return;
  // In the meantime this tab may have signed in, or the session ended.
  if (storage.getItem(userKeyOf(provider)) || !(await isOfThisSession(kept?.['session_state'], provider.clientId))) return;
  try {
    storage.setItem(userKeyOf(provider), found);
    copyToken(user.idToken);
  } catch {
    // No storage left in this tab: it signs in on its own.
    storage.removeItem(userKeyOf(provider));
  }
}

/** Answers new tabs with the user of this one, for as long as `signedIn` says so. */
export function answerOtherTabs(provider: Provider, signedIn: () => boolean): void {
  if (provider.renewMode !== 'iframe') return;
  const noteAgain = registerTab();
  const channel = channelOf(provider);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'who is signed in') noteAgain();
    const user = data.kind === 'who is signed in' && signedIn() ? tabStorage()?.getItem(userKeyOf(provider)) : null;
    if (user) channel.postMessage({ kind: 'signed in', user } satisfies Message);
  };
}
