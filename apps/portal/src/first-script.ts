import { firstReadsOf, peekReadAhead, readsTable, requestReads } from '@portal/app-kit/calls/reads-ahead';
import { isOpenPage } from '@portal/app-kit/calls/open-pages';
import { signedInHere } from '@portal/app-kit/auth/stored-user';
import { accountToSelect, selectableAccounts, storedAccountName } from '@portal/app-kit/session/selected-account';
import { settleSession } from '@portal/app-kit/auth/early-session';
import { markFrameDrawn, openEarlyFrame } from '@portal/app-kit/frame/early-frame';
import { savesData } from '@portal/app-kit/place/connection';
import { reloadOnce } from '@portal/app-kit/place/load-code';
import { startApplication } from '@portal/app-kit/place/application-files';
import { requestTypeface } from '@portal/app-kit/place/typeface';
import { environmentInPage } from '@portal/app-kit/session/environment';
import { firstAccountCookie } from '@portal/contract/shell/own-provider';

// The server writes this script into the HTML: it runs before any file has come, and hands over to the portal by `window.firstScript`.

/**
 * Asks for the document of the frame and for the reads of the first screen, while the portal's own code is still on its way: this script
 * is small and the first to run. First it settles who is signed in in this tab. Without a signed-in person it does nothing, nor in other documents that share its file.
 */
async function requestFirst(): Promise<void> {
  if (framed) return;
  const environment = environmentInPage();
  if (!environment) return;
  const address = await settleSession(environment);
  const person = signedInHere(environment);
  if (!person) return;
  openEarlyFrame();
  const { userId, token } = person;
  const account = storedAccountName(userId) ?? firstAccount();
  requestReads([...readsTable().shell, ...(account === null ? [] : readsAt(address, userId, account))], token);
  // On this device for the first time: the answer that is on its way says which account will be selected.
  if (account === null) void selectedAccount().then(selected => selected && requestReads(readsAt(address, userId, selected), token));
}

/** Returns what the page at an address reads first, if it is open to the person: home is to everyone, of others this tab has to know it. */
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

const framed = document.querySelector('script[data-first=frame]') !== null;
const calls = requestFirst().catch(() => undefined);
window.firstScript = { calls };

/** The page's reads and its frame are on their way first; a sign-in that isn't settled by then goes on beside the files. */
const requested = Promise.race([calls, new Promise(resolve => setTimeout(resolve))]);
requested
  .then(() => startApplication())
  .catch(() => {
    // The line broke while the portal's own code was on its way. Without effect within a minute the browser's words stay.
    if (!framed && !('started' in document.documentElement.dataset)) reloadOnce('portal');
  });
requestTypeface();
if (framed && window.parent !== window) markFrameDrawn();
