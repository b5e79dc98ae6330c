/**
 * The script of the sign-in form that the server shows at any address of the portal without a session: it starts the sign-in while the person types,
 * then gives the form its addresses and its token. See docs/decisions/0050-sign-in-without-waiting.md.
 */
import { storedUser } from '@portal/app-kit/auth/stored-user';
import { type RedirectAsJson, redirectAsJson, registeredIn } from '@portal/contract/shell/own-provider';
import { withRetries } from '@portal/ui/code/with-retries';
import { environmentInPage } from '@portal/app-kit/session/environment';

type Begun = NonNullable<RedirectAsJson['signIn']>;

const environment = environmentInPage()!;
const form = document.querySelector<HTMLFormElement>('form[action$="/password"]')!;

/** Loads the portal at this address: the tab is signed in after all, or the portal says what is wrong with sign-in. */
function openPortal(): void {
  document.cookie = `portal-tab=1; path=/; max-age=10; samesite=lax${environment.appUrl.startsWith('https:') ? '; secure' : ''}`;
  window.location.reload();
}

/**
 * Starts the sign-in at the provider: state and PKCE verifier are created and stored by the sign-in library, as always. @returns the sign-in's id and
 * the token of its forms; null if the browser was redirected because there was a session after all
 */
async function begin(): Promise<Begun | null> {
  const { pathname, search, hash } = window.location;
  const { PortalUserManager } = await withRetries(() => import('@portal/app-kit/auth/portal-user-manager'))();
  const manager = new PortalUserManager(environment, { automaticSilentRenew: false, monitorSession: false });
  const address = await manager.prepareSignIn({ state: { returnTo: pathname + search + hash } });
  const answer = await fetch(address, { headers: { accept: redirectAsJson } });
  if (!answer.ok) throw new Error(`The provider answered with status ${answer.status}`);
  const { location, signIn } = (await answer.json()) as RedirectAsJson;
  if (signIn) return signIn;
  window.location.replace(location);
  return null;
}

/** Number of concurrent downloads: submitting the form needs a connection (browsers open six over HTTP/1.1), and aborts downloads. */
const lanes = 2;

/** Prefetches the document to which a sign-in returns into the browser's cache. */
function fetchWayBack(): void {
  fetch('/auth-callback').catch(() => undefined);
}

/**
 * Downloads the portal's files into the browser's cache while the person types, unless data should be saved. As calls, which every browser permits under
 * `connect-src`: some judge `<link rel="prefetch">` by `default-src` (CSP 3 has no directive for it).
 */
function fetchPortal(): void {
  const { saveData = false } = (navigator as { connection?: { saveData?: boolean } }).connection ?? {};
  if (saveData) return;
  const files = JSON.parse(document.getElementById('portal-files')?.textContent ?? '[]') as string[];
  const download = async (): Promise<void> => {
    for (let href = files.shift(); href !== undefined; href = files.shift()) {
      // Stored once it was read to its end.
      await fetch(href, { priority: 'low' })
        .then(answer => answer.arrayBuffer())
        .catch(() => undefined);
    }
  };
  for (let lane = 0; lane < lanes; lane++) void download();
}

/** Gives every form and link of the page the addresses of this sign-in. */
function complete({ uid, csrf }: Begun): void {
  const named = (address: string): string => address.replace('/sign-in/-/', `/sign-in/${uid}/`);
  for (const each of document.querySelectorAll('form')) {
    each.setAttribute('action', named(each.getAttribute('action') ?? ''));
    if (each.dataset['options']) each.dataset['options'] = named(each.dataset['options']);
    const token = each.elements.namedItem('csrf');
    if (token instanceof HTMLInputElement) token.value = csrf;
  }
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="/sign-in/-/"]'))
    link.setAttribute('href', named(link.getAttribute('href')!));
  // From now on it is the page of that address: a reload shows it again.
  window.history.replaceState(null, '', `/sign-in/${uid}`);
  document.dispatchEvent(new Event('begun'));
}

let begun: Begun | null = null;
/** The person submitted before the sign-in had started. */
let waiting: (() => void) | null = null;

async function start(): Promise<void> {
  try {
    begun = await begin();
    if (!begun) return;
    complete(begun);
    waiting?.();
  } catch (error) {
    // Without a connection it is retried when the person submits, and the input stays.
    if (!(error instanceof TypeError)) return openPortal();
    running = undefined;
    if (waiting) sayUnreachable();
    waiting = null;
  }
}

function sayUnreachable(): void {
  const said = document.getElementById('alert') ?? document.createElement('p');
  Object.assign(said, {
    id: 'alert',
    className: 'alert',
    textContent: 'The registry can’t be reached. Check your connection and try again.',
  });
  said.setAttribute('role', 'alert');
  form.querySelector('h1')?.parentElement?.after(said);
}

/** Fills in the name of a login that was just registered, says what comes next, and leads to the portal's home without that name in the address. */
function welcomeRegistered(): void {
  const name = registeredIn(window.location.hash);
  const input = form.elements.namedItem('username');
  if (name === null || !(input instanceof HTMLInputElement)) return;
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  if (input.value !== '') return;
  input.value = name;
  form.querySelector<HTMLInputElement>('#password')?.focus();
  const next = document.createElement('p');
  Object.assign(next, { className: 'lead', textContent: 'Your login is ready. Enter the password you chose when you registered.' });
  form.querySelector('h1')?.after(next);
}

let running: Promise<void> | undefined;
/** Submits what the person requested once the sign-in has started. */
function goOn(next: () => void): void {
  waiting = next;
  running ??= start();
}

if (storedUser(environment)) openPortal();
else {
  welcomeRegistered();
  running = start();
  fetchWayBack();
  fetchPortal();
  const { dataset } = document.documentElement;
  // From now on the listener below sends the form; earlier submissions were held (held-submit.ts).
  dataset['ready'] = '';
  if ('asked' in dataset) goOn(() => form.requestSubmit());
  form.addEventListener('submit', event => {
    if (begun) return;
    event.preventDefault();
    goOn(() => form.requestSubmit());
  });
  document.querySelector<HTMLAnchorElement>('a[href="/sign-in/-/register"]')?.addEventListener('click', event => {
    const link = event.currentTarget as HTMLAnchorElement;
    if (begun) return;
    event.preventDefault();
    goOn(() => window.location.assign(link.href));
  });
}
