import { requestEarly, requestEarlyTogether } from '@portal/app-kit/calls/early-answers';
import { firstReadsOf } from '@portal/app-kit/calls/first-reads';
import { isOpenPage } from '@portal/app-kit/calls/open-pages';
import { signedInHere } from '@portal/app-kit/auth/stored-user';
import { accountToSelect, selectableAccounts, storedAccountName } from '@portal/app-kit/session/selected-account';
import { settleSession } from '@portal/app-kit/auth/early-session';
import { framedPath, framedSearch, openEarlyFrame, markFrameDrawn } from '@portal/app-kit/frame/early-frame';
import { showLastScreen } from '@portal/app-kit/screen/last-screen';
import { endLastScreen, keepsScreen, screenPlace } from '@portal/app-kit/screen/screens';
import { hasHighLatency, savesData } from '@portal/app-kit/place/connection';
import { reloadOnce } from '@portal/app-kit/place/load-code';
import { startApplication } from '@portal/app-kit/place/application-files';
import { requestTypeface } from '@portal/app-kit/place/typeface';
import { environmentInPage } from '@portal/app-kit/session/environment';
import { firstAccountCookie } from '@portal/contract/shell/own-provider';

// The server writes this script into the HTML: it runs before any file has come, and hands over to the portal by `window.firstScript`.

/**
 * Sends the reads of the first screen, and asks for the document of its frame, while the portal's own code is still on its way: this script
 * is small and the first to run. First it settles who is signed in in this tab. Without a signed-in person it does nothing, nor in other documents that share its file.
 */
async function requestFirst(): Promise<void> {
  if (framed) return;
  const environment = environmentInPage();
  if (!environment) return;
  const before = signedInHere(environment)?.userId;
  const address = await settleSession(environment);
  const person = signedInHere(environment);
  if (person?.userId !== before) void lastScreen.then(endLastScreen);
  if (!person) return;
  const frameOpened = lastScreen.then(last => openEarlyFrame(last?.layFrame));
  // Its document first; but the calls do not wait for a screen to be drawn.
  if (!mayShowLast) await frameOpened;
  const { userId, token } = person;
  const pathname = address.replace(/\?.*/, '');
  const paths = new Set([
    '/api/me',
    '/api/accounts',
    '/api/contextual-nav-data',
    '/api/announcements/banners',
    ...readsHere(userId, address),
  ]);
  const request = (path: string): Promise<Response> => requestEarly(path, token);
  const home = (account: string): string => `/api/${encodeURIComponent(account)}/home`;
  const stored = storedAccountName(userId);
  const likely = stored ?? firstAccount();
  if (likely && pathname === '/') paths.add(home(likely));
  const answers = requestEarlyTogether([...paths], token);
  // On this device for the first time: the answer that is on its way says which account will be selected.
  if (!stored && pathname === '/')
    void requestHomeOf(answers.get('/api/accounts')!, account => answers.get(home(account)) ?? request(home(account)));
  await frameOpened;
}

/** Returns with which calls the person's last visit to an address began; of a first visit to a page that is open to them, with which the page does, as the server says. */
function readsHere(userId: string, address: string): string[] {
  const known = firstReadsOf(userId, address);
  const account = storedAccountName(userId) ?? firstAccount();
  if (known.length > 0 || account === null || savesData() || address !== window.location.pathname) return known;
  const reads = document.querySelector<HTMLMetaElement>('meta[name="first-reads"]');
  if (!reads || !isOpenPage(reads.dataset['page'] ?? '', { userId, account })) return known;
  return reads.content.replaceAll('{account}', encodeURIComponent(account)).split(' ');
}

/** Shows what this tab last showed at this address, in the portal or in its frame; null when there is nothing to show. */
async function showLast() {
  const environment = mayShowLast ? environmentInPage() : null;
  const person = environment && signedInHere(environment);
  if (!person) return null;
  return showLastScreen(screenPlace(framed ? 'frame' : 'portal', addressHere, person.userId));
}

/** Returns the account that the provider named with the sign-in; null for none. */
function firstAccount(): string | null {
  const name = new RegExp(`(?:^|;\\s*)${firstAccountCookie}=([\\w-]+)`).exec(document.cookie)?.[1];
  return name ?? null;
}

async function requestHomeOf(accounts: Promise<Response>, request: (account: string) => unknown): Promise<void> {
  const account = await accountIn(accounts);
  if (account) request(account);
}

/** Returns the name of the account that the portal selects from an answer with the person's accounts; null when there is none, or no answer. */
async function accountIn(answer: Promise<Response>): Promise<string | null> {
  try {
    const response = await answer;
    if (!response.ok) return null;
    const list = (await response.clone().json()) as Parameters<typeof selectableAccounts>[0];
    return accountToSelect(selectableAccounts(list), null)?.accountName ?? null;
  } catch {
    return null;
  }
}

const framed = document.querySelector('script[data-first=frame]') !== null;
const { pathname: path, search } = window.location;
const addressHere = framed ? framedPath(path) + framedSearch(search) : path + search;
const mayShowLast = (!framed || window.parent !== window) && hasHighLatency() && keepsScreen(framed ? 'frame' : 'portal', addressHere);
/** Nothing waits longer than this, in ms, for the last screen. */
const lastScreenMs = 1500;
const tooLate = mayShowLast ? new Promise<null>(resolve => setTimeout(() => resolve(null), lastScreenMs)) : Promise.resolve(null);
const lastScreen = mayShowLast ? Promise.race([showLast().catch(() => null), tooLate]) : Promise.resolve(null);
const calls = requestFirst().catch(() => undefined);
const lastScreenDrawn = lastScreen.then(async shown => {
  if (shown) await Promise.race([calls.then(shown.drawn), tooLate]);
});
window.firstScript = { calls };

/** The page's reads and its frame are on their way first; a sign-in that isn't settled by then goes on beside the files. */
const requested = Promise.race([calls, new Promise(resolve => setTimeout(resolve))]);
requested
  .then(() => startApplication(mayShowLast ? lastScreenDrawn : null))
  .catch(() => {
    // The line broke while the portal's own code was on its way. Without effect within a minute the browser's words stay.
    if (!framed && !('started' in document.documentElement.dataset)) reloadOnce('portal');
  });
requestTypeface();
if (framed && window.parent !== window) void lastScreen.then(shown => shown ?? markFrameDrawn());
