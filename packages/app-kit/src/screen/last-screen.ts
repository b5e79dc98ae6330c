import { releaseHere } from '../place/application-files.ts';
import { describe, draw, type Drawn } from './drawn.ts';
import type { ScreenPlace } from './screens.ts';

/** Where a frame lay in the page, in px, and what it was called. */
export type FramePlace = { left: number; top: number; width: number; height: number; title: string };

type Screen = {
  address: string;
  userId: string;
  /** The account selected on this device at that time. */
  account: string | null;
  at: number;
  /** Width of the window: another one would lay the page out in another way. */
  width: number;
  /** The document's own script: another release may have other class names. */
  release: string;
  /** Style sheets of the page. */
  styles: string[];
  frame: FramePlace | null;
  parts: Drawn[];
};

/** Screens kept, and characters of one; the session storage of a tab has room for five million. */
const most = { screens: 6, characters: 250_000 };
/** A page that isn't whole after so long shows what it has. */
const longestMs = 10_000;

const sheets = (): string[] => [...document.querySelectorAll('link[rel=stylesheet]')].flatMap(link => link.getAttribute('href') ?? []);

function read({ storage, key }: ScreenPlace): Screen[] {
  try {
    const screens = JSON.parse(storage?.getItem(key) ?? '[]') as unknown;
    return Array.isArray(screens) ? (screens as Screen[]) : [];
  } catch {
    return [];
  }
}

/** Keeps what the page at the place shows now, for the next load of this tab. The caller vouches that it holds nothing but what a tab may keep. */
export function keepScreen(place: ScreenPlace): void {
  const { address, userId, account, storage, key, mark } = place;
  const root = document.getElementById('root');
  // What is on top at this moment may itself be an older screen.
  if (!root || !storage || document.querySelector(`[${mark}], dialog[open], [role=dialog]`)) return;
  const others = read(place).filter(screen => screen.address !== address && screen.userId === userId);
  const screen: Screen = {
    address,
    userId,
    account,
    at: Date.now(),
    width: window.innerWidth,
    release: releaseHere(),
    styles: sheets(),
    frame: placeOf(root.querySelector('iframe')),
    parts: [...root.children].map(describe),
  };
  const fits = JSON.stringify(screen).length <= most.characters;
  try {
    storage.setItem(key, JSON.stringify([...(fits ? [screen] : []), ...others].slice(0, most.screens)));
  } catch {
    // No room: the next load is put together before the person's eyes, as without it.
  }
}

function placeOf(frame: HTMLIFrameElement | null): FramePlace | null {
  if (!frame || frame.offsetHeight === 0) return null;
  const { left, top, width, height } = frame.getBoundingClientRect();
  return { left: left + window.scrollX, top: top + window.scrollY, width, height, title: frame.title };
}

/** A screen that is shown again. */
export type ShownScreen = {
  /** Puts the frame of the page where it lay. */
  layFrame: (frame: HTMLIFrameElement) => void;
  /** Resolves once the browser has drawn the screen, that of its frame included. */
  drawn: () => Promise<void>;
};

/**
 * Where people would watch the page being put together: puts what this tab last showed at the address over the page, until the
 * page is whole. It is a picture: readers of the screen find the page behind it, links in it lead on, and a press on what opens something is made
 * on the page as soon as that is there.
 * @returns null when there is nothing to show
 */
export async function showLastScreen(place: ScreenPlace): Promise<ShownScreen | null> {
  await rootDrawn();
  const { of, address, userId, account, oldestMs, mark, endEvent } = place;
  const root = document.getElementById('root');
  const screen = read(place).find(each => each.address === address && each.userId === userId);
  if (!root || !screen || Date.now() - screen.at > oldestMs || screen.account !== account) return null;
  if (screen.width !== window.innerWidth || screen.release !== releaseHere()) return null;
  const picture = document.createElement('div');
  picture.setAttribute(mark, of);
  picture.addEventListener(endEvent, () => end(picture));
  picture.setAttribute('aria-hidden', 'true');
  try {
    picture.append(...screen.parts.map(part => draw(part)));
  } catch {
    return null;
  }
  for (const href of screen.styles)
    if (!sheets().includes(href))
      document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', crossOrigin: 'anonymous', href }));
  // By the style object: no sheet of the first screen carries this, and the policy of the page refuses styles as attributes.
  Object.assign(picture.style, over, of === 'frame' ? { paddingInline: '4px' } : {});
  if (screen.frame) picture.style.clipPath = around(screen.frame);
  else setTimeout(() => picture.append(timeNote(screen.at)), sayTimeMs);
  root.before(picture);
  holdPresses(picture);
  // Who works with the keyboard acts on the page, and must see where the focus is.
  document.addEventListener('keydown', () => end(picture), { once: true });
  setTimeout(() => end(picture), longestMs);
  const frame = place.frameHasScreen ? screen.frame : null;
  return { layFrame: element => void (frame && lay(element, frame)), drawn: () => drawnOf(frame) };
}

/** The first script may run before the document is read to its end. */
function rootDrawn(): Promise<void> | undefined {
  if (document.getElementById('root')) return undefined;
  return new Promise(resolve => {
    const look = new MutationObserver(() => {
      if (!document.getElementById('root')) return;
      look.disconnect();
      resolve();
    });
    look.observe(document, { childList: true, subtree: true });
  });
}

function lay(frame: HTMLIFrameElement, { left, top, width, height, title }: FramePlace): void {
  frame.hidden = false;
  frame.title = title;
  frame.dataset['height'] = String(height);
  Object.assign(frame.style, {
    position: 'absolute',
    border: '0',
    left: `${left}px`,
    top: `${top}px`,
    width: `${width}px`,
    height: `${height}px`,
  } satisfies Partial<CSSStyleDeclaration>);
}

/** The event of a frame's element whose document has drawn its last screen. */
const drawnEvent = 'last-screen-drawn';
/** A frame that has not drawn its last screen after so long, in ms, is waited for no longer. */
const frameMs = 500;

async function drawnOf(frame: FramePlace | null): Promise<void> {
  const element = frame && document.querySelector('iframe');
  if (element) {
    await new Promise(resolve => {
      element.addEventListener(drawnEvent, resolve, { once: true });
      setTimeout(resolve, frameMs);
    });
  }
  await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
  window.frameElement?.dispatchEvent(new Event(drawnEvent));
}

const over: Partial<CSSStyleDeclaration> = {
  position: 'absolute',
  inset: '0',
  zIndex: 'var(--z-tip)',
  minHeight: '100%',
  height: 'max-content',
  background: 'var(--ground)',
  cursor: 'progress',
};
/** A picture that stays longer than this, in ms, says of when it is. */
const sayTimeMs = 1500;

/** A shape of the whole picture without the frame, which shows its own. */
const around = ({ left, top, width, height }: FramePlace): string =>
  `polygon(evenodd, 0 0, 100% 0, 100% 100%, 0 100%, 0 0, ${left}px ${top}px, ${left + width}px ${top}px, ${left + width}px ${top + height}px, ${left}px ${top + height}px, ${left}px ${top}px)`;

function timeNote(at: number): HTMLElement {
  const note = document.createElement('p');
  Object.assign(note.style, {
    position: 'fixed',
    right: 'var(--s-16)',
    bottom: 'var(--s-16)',
    padding: '2px 10px',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--r-2)',
    background: 'var(--surface)',
    color: 'var(--text-muted)',
    fontSize: 'var(--t-12)',
  } satisfies Partial<CSSStyleDeclaration>);
  note.textContent = `As of ${new Date(at).toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit' })}, updating`;
  return note;
}

/** The last press on the picture that no link of it answered. */
let held: { x: number; y: number; words: string } | null = null;

const acting = 'button, input, select, textarea, summary, label, [role=button], [role=tab], [role=option], a[href]';
/** Elements that only show something else. Any other might write, and takes a press on the page itself. */
const leading = 'a[href], summary, [role=tab], button[aria-haspopup], button[aria-expanded]';

function holdPresses(picture: HTMLElement): void {
  picture.addEventListener('click', event => {
    const target = event.target instanceof Element ? event.target.closest(acting) : null;
    if (!target || target.closest('a[href]')) return;
    event.preventDefault();
    held = { x: event.clientX, y: event.clientY, words: target.textContent };
  });
}

/**
 * Takes the picture away. What was pressed on it has the focus, if it is where it was; the press itself is made only if it leads to something: the page behind
 * may be newer, and no one has seen what a button of it would write.
 */
function end(picture: HTMLElement): void {
  if (!picture.isConnected) return;
  picture.remove();
  const press = held;
  held = null;
  const target = press && document.elementFromPoint(press.x, press.y)?.closest<HTMLElement>(acting);
  if (!press || !target || target.textContent !== press.words) return;
  target.focus();
  if (target.matches(leading)) target.click();
}
