import { copiedToken, tabStorage } from '../auth/stored-user.ts';
import { answerAge } from '../kit/answer-age.ts';
import { frameEdge } from './early-frame.ts';
import { storedAccountName } from '../session/selected-account.ts';
import { describe, draw, type Drawn } from './drawn.ts';
import { releaseHere } from './release-here.ts';
import { dropPicture, endPicture, keys, mark, type PictureOf } from './shown-picture.ts';

type Picture = {
  address: string;
  userId: string;
  /** The account selected on this device at that time. */
  account: string | null;
  at: number;
  /** Width of the portal's window: another one would lay the page out in another way. */
  width: number;
  /** The document's own script: another release may have other class names. */
  release: string;
  /** Style sheets of the page. */
  styles: string[];
  parts: Drawn[];
};

/** A larger one is not kept. The session storage of a tab has room for five million characters. */
const MAX_CHARACTERS = 250_000;
/** A page that isn't there after so long, in ms, shows what it has. */
const longestMs = 10_000;

const sheets = (): string[] => [...document.querySelectorAll('link[rel=stylesheet]')].flatMap(link => link.getAttribute('href') ?? []);

/**
 * Keeps what the page at the address shows now, for the next load of this tab. The caller vouches that it was made of nothing but answers that a tab keeps.
 * @param account the account that the page shows; another tab may have chosen a different one on this device since, and nothing is kept then
 */
export function keepPicture(of: PictureOf, address: string, userId: string, account: string | null): void {
  dropPicture(of);
  const chosen = storedAccountName(userId);
  if (chosen !== null && chosen !== account) return;
  const root = document.getElementById('root');
  const isFramed = [...(root?.querySelectorAll('iframe') ?? [])].some(frame => frame.offsetHeight > 0);
  // A tab that has signed out keeps nothing.
  if (!root || isFramed || !copiedToken() || document.querySelector('dialog[open], [role=dialog], [data-shown-once]')) return;
  const picture: Picture = {
    address,
    userId,
    account: chosen,
    at: Date.now(),
    width: window.parent.innerWidth,
    release: releaseHere(),
    styles: sheets(),
    parts: [...root.children].map(describe),
  };
  const text = JSON.stringify(picture);
  try {
    if (text.length <= MAX_CHARACTERS) tabStorage()?.setItem(keys[of], text);
  } catch {
    // No room: the next load is put together before the person's eyes, as without it.
  }
}

/**
 * Puts the page that this tab showed last over the one that is on its way, at the same address, for the same person and account. It can't be pressed, and
 * readers of the screen find the page behind it.
 * @returns whether it is shown, once the browser has drawn it
 */
export async function showPicture(of: PictureOf, address: string, userId: string): Promise<boolean> {
  const picture = JSON.parse(tabStorage()?.getItem(keys[of]) ?? 'null') as Picture | null;
  if (picture?.address !== address || picture.userId !== userId || picture.account !== storedAccountName(userId)) return false;
  if (Date.now() - picture.at > answerAge.shown || picture.width !== window.parent.innerWidth || picture.release !== releaseHere())
    return false;
  const root = await rootRead();
  const element = document.createElement('div');
  element.setAttribute(mark, '');
  element.setAttribute('aria-hidden', 'true');
  element.append(...picture.parts.map(part => draw(part)));
  for (const href of picture.styles)
    if (!sheets().includes(href))
      document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', crossOrigin: 'anonymous', href }));
  // By the style object: no sheet of the first screen carries this, and the policy of the page refuses styles as attributes.
  Object.assign(element.style, over, of === 'frame' ? { paddingInline: `${frameEdge}px` } : {});
  root.before(element);
  setTimeout(endPicture, longestMs);
  await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
  return true;
}

const over: Partial<CSSStyleDeclaration> = {
  position: 'absolute',
  inset: '0',
  zIndex: 'var(--z-tip)',
  minHeight: '100%',
  height: 'max-content',
  background: 'var(--ground)',
  pointerEvents: 'none',
};

/** The first script may run before the document is read to its root. */
function rootRead(): Promise<HTMLElement> {
  const found = document.getElementById('root');
  if (found) return Promise.resolve(found);
  return new Promise(resolve => {
    const look = new MutationObserver(() => {
      const root = document.getElementById('root');
      if (!root) return;
      look.disconnect();
      resolve(root);
    });
    look.observe(document, { childList: true, subtree: true });
  });
}
