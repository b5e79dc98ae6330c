import { MINUTE_MS } from '@portal/contract/days';
import { findPage } from '@portal/contract/pages';
import { isNewerRelease } from '@portal/contract/shell/release-header';
import { Button } from '@portal/ui';
import { createElement } from 'react';
import { tabStorage } from '../auth/stored-user.ts';
import type { BrowserApp } from './browser-app.ts';

/** How long, in ms, no process of the release of this document may have answered: before that a reload could lead back to it. */
export const SETTLED_MS = 2 * MINUTE_MS;
/** How long, in ms, nothing is said after a reload that led back to the old release all the same. */
const AGAIN_MS = 10 * MINUTE_MS;
/** In the storage of the tab: the release that the person dismissed or reloaded for, and until when it isn't named again, in ms since 1970. */
const storageKey = 'new-release';

type Parts = Pick<BrowserApp, 'environment' | 'release' | 'router' | 'toasts'>;

/**
 * Says once in this tab that the registry runs a newer release than this document, with a button that reloads it: once no process of the old release
 * answers any more, and only on a page on which nothing was entered. Input takes the message away until another page is opened, so the button
 * loses none: drafts are on this device.
 */
export function watchRelease({ environment, release, router, toasts }: Parts, reload: () => void = () => window.location.reload()): void {
  const own = environment.errorReporting.release;
  const here = () => findPage(router.place().path, environment.product);
  let page = here().name;
  /** Whether something was entered on the page, and on which framed page: that one is kept, hidden, while others are shown. */
  let isTouched = mayHoldInput();
  let touchedFramed: string | null = null;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let settled: string | null = null;
  /** The message while it is shown. */
  let shown: { toastId: number; release: string } | null = null;

  const show = (): void => {
    if (shown || settled === null || isTouched || touchedFramed !== null || hasForeignFrame() || wasSaid(settled)) return;
    const named = settled;
    const press = (): void => {
      note(named, Date.now() + AGAIN_MS);
      reload();
    };
    const text = `A new version of ${environment.portalName} is available. Your drafts are kept.`;
    const action = createElement(Button, { size: 's', onClick: press }, 'Reload');
    shown = { release: named, toastId: toasts.show({ kind: 'info', text, action, stays: true }) };
  };
  const hear = (): void => {
    clearTimeout(settling);
    const said = release.get();
    if (settled !== null || !isNewerRelease(said, own)) return;
    settling = setTimeout(() => {
      settled = said;
      show();
    }, SETTLED_MS);
  };

  watchInput(isFramed => {
    if (isFramed) touchedFramed = page;
    else isTouched = true;
    const before = shown;
    shown = null;
    if (before) toasts.dismiss(before.toastId);
  });
  router.subscribe(() => {
    const opened = here();
    if (opened.name === page) return;
    page = opened.name;
    isTouched = false;
    if (opened.page.app === 'resource-manager' && touchedFramed !== page) touchedFramed = null;
    show();
  });
  toasts.subscribe(() => {
    if (!shown || toasts.list().some(({ toastId }) => toastId === shown?.toastId)) return;
    // Dismissed by the person.
    note(shown.release, Number.MAX_SAFE_INTEGER);
    shown = null;
  });
  release.subscribe(hear);
  hear();
}

const frames = (): HTMLIFrameElement[] => [...document.querySelectorAll<HTMLIFrameElement>('main iframe')];

/** Whether there is a framed page of another origin: what is entered there can't be seen. */
const hasForeignFrame = (): boolean => frames().some(({ contentDocument }) => contentDocument === null);

/** Whether something may have been entered while the page was loading: from now on it is noticed. */
const mayHoldInput = (): boolean =>
  document.querySelector('dialog[open], [role=dialog]') !== null ||
  [document.querySelector('main'), ...frames().map(({ contentDocument }) => contentDocument)].some(holdsText);

const holdsText = (part: ParentNode | null): boolean =>
  [...(part?.querySelectorAll<HTMLInputElement>('input:not([type=radio], [type=checkbox]), textarea') ?? [])].some(
    ({ value }) => value !== '',
  );

/** Calls back when the person enters something, also in framed pages. */
function watchInput(touch: (isFramed: boolean) => void): void {
  const watched = new WeakSet<Document>();
  const watch = (entered: Document | null): void => {
    if (!entered || watched.has(entered)) return;
    watched.add(entered);
    for (const kind of ['input', 'change']) entered.addEventListener(kind, () => touch(entered !== document), true);
  };
  watch(document);
  for (const { contentDocument } of frames()) watch(contentDocument);
  // That of a frame doesn't bubble.
  document.addEventListener('load', ({ target }) => target instanceof HTMLIFrameElement && watch(target.contentDocument), true);
}

function wasSaid(release: string): boolean {
  const [said, until] = (tabStorage()?.getItem(storageKey) ?? '').split(' ');
  return said === release && Date.now() < Number(until);
}

function note(release: string, until: number): void {
  try {
    tabStorage()?.setItem(storageKey, `${release} ${until}`);
  } catch {
    // No room: it is said again.
  }
}
