/** Adds to the sign-in pages what needs a script; except for passkeys they work without it. */
import { enablePasskeyForms, canUsePasskeys, fetchOptions, provePasskey } from './passkey.ts';

const byId = <T extends HTMLElement>(id: string): T | null => document.getElementById(id) as T | null;
const username = byId<HTMLInputElement>('username');
const password = byId<HTMLInputElement>('password');

// Demo people: fill the form instead of loading the page again.
for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-username]')) {
  link.addEventListener('click', event => {
    event.preventDefault();
    username!.value = link.dataset.username!;
    password!.value = link.dataset.password!;
    document.querySelector<HTMLButtonElement>('form button:not([type])')!.focus();
  });
}

/** How long a form that was sent is not sent again: a second press would break off the answer to the first, which has ended the sign-in. */
const againMs = 3000;
let sentAt = -Infinity;
addEventListener('submit', event => {
  if (event.defaultPrevented) return;
  if (performance.now() - sentAt < againMs) event.preventDefault();
  else sentAt = performance.now();
});

const show = document.querySelector<HTMLButtonElement>('[data-show]');
if (show && password) {
  const see = (seen: boolean): void => {
    password.type = seen ? 'text' : 'password';
    show.setAttribute('aria-pressed', String(seen));
  };
  show.hidden = false;
  show.addEventListener('click', () => {
    see(password.type === 'password');
    password.focus();
  });
  // Browsers offer to keep what was typed into a password field only.
  password.form!.addEventListener('submit', () => see(false));
}

const alone = document.querySelector<HTMLElement>('[data-alone]');
const armPasskeys = (): void => {
  enablePasskeyForms();
  if (!alone || !canUsePasskeys()) return;
  alone.hidden = false;
  offerPasskeys(alone.querySelector('form')!);
};
// A page that begins its sign-in itself has no addresses for passkeys until it has begun (apps/portal/src/sign-in-form.ts).
if ('begins' in document.documentElement.dataset) document.addEventListener('begun', armPasskeys, { once: true });
else armPasskeys();
// If a passkey is the only method, its button gets the focus.
if (!alone) document.querySelector<HTMLButtonElement>('form[data-passkey] button:not([formaction], [hidden])')?.focus();

/** A request to the device lasts no longer than its challenge. */
const OFFER_MS = 240_000;

/** Offers passkeys among the browser's suggestions for the user name once the field has the focus. */
function offerPasskeys(form: HTMLFormElement): void {
  const answer = form.elements.namedItem('answer') as HTMLInputElement;
  const { value: csrf } = form.elements.namedItem('csrf') as HTMLInputElement;
  let offer = new AbortController();
  const ask = async (): Promise<void> => {
    offer.abort();
    offer = new AbortController();
    const { signal } = offer;
    const again = setTimeout(() => offered(ask()), OFFER_MS);
    signal.addEventListener('abort', () => clearTimeout(again));
    const options = await fetchOptions(form.dataset.options!, csrf);
    if (signal.aborted) return;
    answer.value = await provePasskey(options, { mediation: 'conditional', signal });
    form.submit();
  };
  // It runs unasked, so its failures are not shown.
  const offered = (asked: Promise<void>): void => void asked.catch(() => {});
  const begin = async (): Promise<void> => {
    if (await PublicKeyCredential.isConditionalMediationAvailable()) await ask();
  };
  // The device answers one request at a time, and the button's is the one that was asked for.
  form.addEventListener('submit', () => offer.abort(), { capture: true });
  if (document.activeElement === username) offered(begin());
  else username?.addEventListener('focus', () => offered(begin()), { once: true });
}

/** One field for a code, drawn as six boxes. */
function drawCode(code: HTMLInputElement): (text: string) => void {
  const boxes = [...code.parentElement!.querySelectorAll('i')];
  const draw = (): void => {
    const at = document.activeElement === code ? Math.min(code.value.length, boxes.length - 1) : -1;
    boxes.forEach((box, i) => box.classList.toggle('now', i === at));
  };
  const set = (text: string): void => {
    code.value = text.replaceAll(/\D/g, '').slice(0, 6);
    draw();
  };
  code.addEventListener('input', () => set(code.value));
  code.addEventListener('paste', event => {
    event.preventDefault();
    set(event.clipboardData?.getData('text') ?? '');
  });
  code.addEventListener('focus', draw);
  code.addEventListener('blur', draw);
  draw();
  return set;
}

const stepMs = 30_000;
const code = document.querySelector<HTMLInputElement>('.code6 input');
if (code) {
  const set = drawCode(code);
  const demo = document.querySelector('.demo');
  // The link to a code may come after the page, so the section listens in its place.
  demo?.addEventListener('click', event => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-code]');
    if (!link) return;
    event.preventDefault();
    set(link.dataset.code!);
    document.querySelector<HTMLButtonElement>('form button')!.focus();
  });
  /** Shows the next code of the demo, also where both of now were used; everything else on the page stays, above all a message. */
  const showNextDemoCode = async (section: Element): Promise<void> => {
    // While an answer is awaited, the sign-in may be over.
    if (performance.now() - sentAt < stepMs) return;
    const page = await (await fetch(location.pathname)).text();
    if (performance.now() - sentAt < stepMs) return;
    const next = /data-code="(\d{6})"/.exec(page)?.[1];
    // A sign-in that is over, or continued in another tab, has no such page.
    if (!page.includes('class="demo"')) location.replace(location.pathname);
    if (!next) return;
    const link = section.querySelector<HTMLAnchorElement>('a[data-code]') ?? document.createElement('a');
    link.className = 'mono';
    link.href = '?fill=code';
    link.dataset.code = next;
    link.textContent = `${next.slice(0, 3)} ${next.slice(3)}`;
    if (!link.isConnected) section.querySelector('.demo-code')?.replaceChildren('The next code is ', link, '.');
  };
  const left = byId('left');
  let end = Date.now() + Number(left?.dataset.left) * 1000;
  if (left)
    setInterval(() => {
      const over = Date.now() - end;
      if (over >= 0) {
        end += stepMs * Math.ceil((over + 1) / stepMs);
        // Asked again in half a minute when it fails.
        if (demo) showNextDemoCode(demo).catch(() => {});
      }
      left.textContent = `A new code in ${Math.ceil((end - Date.now()) / 1000)} s`;
    }, 1000);
}

const print = document.querySelector<HTMLButtonElement>('button[data-print]');
if (print) {
  print.hidden = false;
  print.addEventListener('click', () => window.print());
}
