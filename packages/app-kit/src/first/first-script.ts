import { firstReadsOf, peekReadAhead, readsTable, requestReads } from './reads-ahead.ts';
import { isOpenPage } from './open-pages.ts';
import { signedInHere } from '../auth/stored-user.ts';
import { accountToSelect, selectableAccounts, storedAccountName } from '../session/selected-account.ts';
import { settleSession } from '../auth/early-session.ts';
import { framedPath, framedSearch, markFrameDrawn, openEarlyFrame } from './early-frame.ts';
import { hasHighLatency, savesData } from './connection.ts';
import { reloadOnce } from './load-code.ts';
import { startApplication } from './application-files.ts';
import { showPicture } from './last-picture.ts';
import { endPicture, keepsPicture } from './shown-picture.ts';
import { requestTypeface } from './typeface.ts';
import { environmentInPage } from '../session/environment.ts';
import { firstAccountCookie } from '@portal/contract/shell/own-provider';

// The server inlines this script in the HTML: it runs before any file has loaded, and passes its results to the portal in `window`.

/**
 * Asks for the document of the frame and for the reads of the first screen, while the portal's own code is still on its way: this script
 * is small and the first to run. First it settles who is signed in in this tab. Without a signed-in person it does nothing, nor in other documents that share its file.
 */
async function requestFirst(): Promise<void> {
  if (framed) return;
  const environment = environmentInPage();
  if (!environment) return;
  const before = signedInHere(environment)?.userId;
  const address = await settleSession(environment);
  const person = signedInHere(environment);
  if (person?.userId !== before) void pictureDrawn.then(endPicture);
  if (!person) return;
  frameShown = openEarlyFrame();
  const { userId, token } = person;
  const account = storedAccountName(userId) ?? firstAccount();
  requestReads([...readsTable().shell, ...(account === null ? [] : readsAt(address, userId, account))], token);
  // First visit on this device: the pending answer tells which account will be selected.
  if (account === null) void selectedAccount().then(selected => selected && requestReads(readsAt(address, userId, selected), token));
}

/** Returns the first reads of the page at an address, if the person may open it: everyone may open home, for others this tab has to know. */
function readsAt(address: string, userId: string, account: string): string[] {
  const page = address === '/' ? 'home' : address === window.location.pathname ? readsTable().page : null;
  if (page === null || (page !== 'home' && (savesData() || !isOpenPage(page, { userId, account })))) return [];
  return firstReadsOf(page, account);
}

/** Returns the account that the provider named with the sign-in; null for none. */
function firstAccount(): string | null {
  const name = new RegExp(`(?:^|;\\s*)${firstAccountCookie}=([\\w-]+)`).exec(document.cookie)?.[1];
  return name ?? null;
}

/** Returns the name of the account that the portal will select; null when there is none, or no answer. */
async function selectedAccount(): Promise<string | null> {
  const list = (await peekReadAhead('/api/accounts')) as Parameters<typeof selectableAccounts>[0] | undefined;
  return list ? (accountToSelect(selectableAccounts(list), null)?.accountName ?? null) : null;
}

/** On a long line a load begins with the picture of the last one, until the application has drawn the page. */
async function showLastPicture(): Promise<boolean> {
  const environment = !hasHighLatency() || (framed && !inFrame) ? null : environmentInPage();
  const person = environment && signedInHere(environment);
  return person ? showPicture(framed ? 'frame' : 'portal', addressHere, person.userId) : false;
}

/** Nothing waits longer than this, in ms, for pictures. */
const longestWaitMs = 1500;
let frameShown: Promise<void> | undefined;
const framed = document.querySelector('script[data-first=frame]') !== null;
const inFrame = framed && window.parent !== window;
const { pathname, search } = window.location;
const addressHere = framed ? framedPath(pathname) + framedSearch(search) : pathname + search;
const pictureDrawn = showLastPicture().catch(() => false);
const hasPicture = hasHighLatency() && (keepsPicture('frame', addressHere) || (!framed && keepsPicture('portal', addressHere)));
const picturesDrawn = async (): Promise<unknown> => Promise.all([pictureDrawn, calls.then(() => frameShown)]);
const tooLate = new Promise(resolve => setTimeout(resolve, longestWaitMs));
const calls = requestFirst().catch(() => undefined);
window.earlyCalls = calls;

/** Start the page's reads and its frame first; an unfinished sign-in continues while the files load. */
const requested = Promise.race([calls, new Promise(resolve => setTimeout(resolve))]);
requested
  .then(() => startApplication(hasPicture ? Promise.race([picturesDrawn(), tooLate]) : null))
  .catch(() => {
    // The connection broke while the portal's code was loading. If a reload within the last minute didn't help, the browser's error stays.
    if (!framed && !('started' in document.documentElement.dataset)) reloadOnce('portal');
  });
requestTypeface();
if (inFrame) void pictureDrawn.then(markFrameDrawn);
