import { expect, it } from 'vitest';
import { navigationShortcut } from './shortcut.ts';

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

it.each([
  ['Ctrl-K', press('k', { ctrlKey: true }), 'palette'],
  ['Cmd-K', press('K', { metaKey: true }), 'palette'],
  ['/', press('/'), 'palette'],
  ['/ in a field', press('/', { target: field }), null],
  ['Ctrl-K in a field', press('k', { ctrlKey: true, target: field }), 'palette'],
  ['k', press('k'), null],
  ['Ctrl-Shift-K', press('k', { ctrlKey: true, shiftKey: true }), null],
])('%s', (_, asked, expected) => expect(asked).toBe(expected));
