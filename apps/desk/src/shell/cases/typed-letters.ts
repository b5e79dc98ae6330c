/** How long a letter waits for the part of the page that takes it: as long as data usually take to arrive. */
const EARLY_MS = 5_000;
/** Letters of a text follow each other within this time. */
const TEXT_MS = 300;

type Effects = Readonly<Record<string, (() => void) | null | undefined>>;

/** Returns whether a key belongs to the focused element: a field, a menu, a dialog. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input:not([type=radio]), textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu], dialog') !==
    null;

const isField = (target: EventTarget | null): boolean => target instanceof Element && target.matches('textarea, input:not([type=radio])');
const isLetter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => key.length === 1 && !ctrlKey && !metaKey && !altKey;

/** A letter that no part of the page took yet, and when it was pressed. */
let early: { key: string; at: number } | null = null;
/** A field was left by Escape, and perhaps the person goes on typing: letters that follow each other closely are a text then, and carry nothing out. */
let wasLeft = false;
/** The letter that waits whether another one follows it. */
let single: { timer: number; act: (() => void) | null } | null = null;
let lastAt = 0;

/** Forgets the letter that waits. */
function dropSingle(): void {
  if (single) window.clearTimeout(single.timer);
  single = null;
}

function readKey(event: KeyboardEvent): void {
  const isPress = isLetter(event) && !event.repeat && !isTyping(event.target);
  early = isPress && !wasLeft ? { key: event.key, at: Date.now() } : null;
  if (event.key === 'Escape' && isField(event.target)) wasLeft = true;
  if (!wasLeft) return;
  const isText = isPress && Date.now() - lastAt < TEXT_MS;
  lastAt = isPress ? Date.now() : 0;
  dropSingle();
  if (!isPress) wasLeft = event.key === 'Escape' || event.key === 'Shift';
  else if (!isText)
    single = {
      act: null,
      timer: window.setTimeout(() => {
        const act = single?.act;
        single = null;
        wasLeft = false;
        act?.();
      }, TEXT_MS),
    };
}

const forget = (): void => {
  early = null;
  wasLeft = false;
  dropSingle();
};

/** Watches the letters of the desk from before its first page is drawn: `takeEarly` and `pressLetter` know of them. */
export function watchLetters(): void {
  window.addEventListener('keydown', readKey, { capture: true });
  window.addEventListener('pointerdown', forget, { capture: true });
}

/** Carries out the effect of a letter; after a field was left only once no other letter follows it. */
export function pressLetter(act: () => void): void {
  early = null;
  if (!wasLeft) act();
  else if (single) single.act = act;
}

/** Returns the effect of a letter that was pressed before these keys were there, once: a key pressed while the data of a page are on their way isn’t lost. */
export function takeEarly(effects: Effects): (() => void) | null {
  if (!early || Date.now() - early.at > EARLY_MS || !Object.hasOwn(effects, early.key)) return null;
  const act = effects[early.key] ?? null;
  if (act) early = null;
  return act;
}
