import type { Frame } from '@playwright/test';

/** A link or button on the screen. */
export type Control = {
  /** Its number among those of its document. */
  index: number;
  kind: 'link' | 'button';
  name: string;
  /** As written; empty for a button. */
  href: string;
  /** It is part of what stands around each page. */
  isInShell: boolean;
};

/** The outcome of a press. */
export type Pressed = {
  /** Changes of the document, and of what has the focus. */
  changes: number;
  /** The address is another one now. */
  wentOn: boolean;
  /** Windows, printing, files and downloads that the browser would have opened, and its clipboard. */
  opened: string[];
};

/** Lists what can be pressed, and remembers the elements for `press`. */
const list = `(() => {
  const isShown = element => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && element.getBoundingClientRect().width > 1;
  const isReady = element => !element.matches(':disabled, [aria-disabled="true"]') && !element.closest('[inert], [aria-busy="true"]');
  const elements = [...document.querySelectorAll('a, button, summary, [role="button"], [role="tab"], [role="switch"]')];
  window.controls = elements.filter(element => isShown(element) && isReady(element));
  return window.controls.map((element, index) => ({
    index,
    kind: element.localName === 'a' ? 'link' : 'button',
    name: (element.getAttribute('aria-label') ?? element.innerText).replace(/\\s+/g, ' ').trim(),
    href: element.localName === 'a' ? element.getAttribute('href') ?? '' : '',
    isInShell: element.closest('main') === null && !document.documentElement.matches('[data-framed]'),
  }));
})()`;

/** Presses one of the listed controls; answers when something changes, or after 3 s. */
const press = (index: number): string => `(async () => {
  const element = window.controls?.[${index}];
  if (!element?.isConnected) return null;
  const opened = [];
  let changes = 0;
  const { promise, resolve } = Promise.withResolvers();
  const watcher = new MutationObserver(found => { changes += found.length; resolve(); });
  watcher.observe(document.documentElement, { subtree: true, childList: true, attributes: true, characterData: true });
  const note = what => { opened.push(what); resolve(); };
  window.print = () => note('print');
  navigator.clipboard.writeText = async () => note('clipboard');
  window.open = address => { note(String(address)); return null; };
  const follow = HTMLAnchorElement.prototype.click;
  // A link that only starts a download need not be in the document.
  HTMLAnchorElement.prototype.click = function () { if (this.isConnected) follow.call(this); else note('download'); };
  const hold = event => {
    const { target } = event;
    if (target.matches('input[type="file"]')) note('file chooser');
    else if (target.closest('a[download], a[href^="blob:"]')) note('download');
    else return;
    event.preventDefault();
  };
  document.addEventListener('click', hold, true);
  const [before, focused] = [location.href, document.activeElement];
  const focus = () => { if (document.activeElement !== focused && document.activeElement !== element) { changes++; resolve(); } };
  document.addEventListener('focusin', focus);
  element.click();
  const patience = setTimeout(resolve, 3000);
  await promise;
  clearTimeout(patience);
  watcher.disconnect();
  HTMLAnchorElement.prototype.click = follow;
  document.removeEventListener('click', hold, true);
  document.removeEventListener('focusin', focus);
  return { changes, wentOn: location.href !== before, opened };
})()`;

/** Links and buttons that a document shows and that can be pressed. */
export const controlsIn = (frame: Frame): Promise<Control[]> => frame.evaluate<Control[]>(list);

/** Presses a control that was listed last; null if it is gone, or its document is. */
export const pressIn = (frame: Frame, { index }: Control): Promise<Pressed | null> =>
  frame.evaluate<Pressed | null>(press(index)).catch(() => null);

/** An address or name without what differs from one row to the next: numbers, names of accounts and objects, dates. */
export const patternOf = (text: string): string =>
  text
    .replace(/\b[0-9a-f]{1,4}(:[0-9a-f]{0,4}){2,}(\/\d+)?/gi, '*')
    .replace(/\b[A-Z][A-Z0-9]*([-:][A-Z0-9]+)+\b/g, '*')
    .replace(/\d[\d.,:/]*/g, '#')
    .replace(/(#|\*)([\s,–-]*(#|\*))+/g, '#');
