import { expect, it, vi } from 'vitest';
import { navigationShortcut, onPaletteKey } from './shortcut.ts';

const press = (key: string, given: Partial<KeyboardEvent> = {}) =>
  navigationShortcut({
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    target: document.body,
    ...given,
  } as KeyboardEvent);
const field = document.createElement('input');
const windowItem = document.createElement('div');
document.createElement('div').appendChild(windowItem).parentElement!.setAttribute('role', 'dialog');

it.each([
  ['Ctrl-K', press('k', { ctrlKey: true }), 'palette'],
  ['Cmd-K', press('K', { metaKey: true }), 'palette'],
  ['/', press('/'), 'palette'],
  ['/ in a field', press('/', { target: field }), null],
  ['/ at an item of a window', press('/', { target: windowItem }), null],
  ['Ctrl-K in a field', press('k', { ctrlKey: true, target: field }), 'palette'],
  ['k', press('k'), null],
  ['Ctrl-Shift-K', press('k', { ctrlKey: true, shiftKey: true }), null],
])('%s', (_, asked, expected) => expect(asked).toBe(expected));

it('opens the palette on its keys alone, in place of what the browser does, until it is stopped', () => {
  const open = vi.fn<() => void>();
  const stop = onPaletteKey(open);
  const type = (key: string) => !window.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey: true, cancelable: true }));
  expect(type('l')).toBe(false);
  expect(open).not.toHaveBeenCalled();
  expect(type('k')).toBe(true);
  expect(open).toHaveBeenCalledOnce();
  stop();
  expect(type('k')).toBe(false);
  expect(open).toHaveBeenCalledOnce();
});
