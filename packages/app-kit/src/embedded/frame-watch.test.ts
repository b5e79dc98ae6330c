import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchPage } from './frame-watch.ts';

beforeEach(() => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  document.body.innerHTML = '<h1>First</h1><a href="/second">Second</a><button>Beside</button>';
});
afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

/** Follows the link of the first page, which is still on the screen then. */
async function follow(): Promise<void> {
  document.querySelector('a')!.focus();
  let path = '/first';
  let changed = (): void => undefined;
  const router = { place: () => ({ path }), subscribe: (listener: () => void) => ((changed = listener), () => undefined) };
  watchPage(router as never, async () => undefined);
  path = '/second';
  changed();
  await new Promise(resolve => requestAnimationFrame(resolve));
}
const focused = () => document.activeElement?.textContent;
const show = (page: string): void => void (document.body.innerHTML = page);

it('gives the focus to the heading of the page once the last one has left the screen, and when it is drawn anew', async () => {
  await follow();
  expect(focused(), 'the last page is still there').toBe('Second');
  show('<h1>A page</h1>');
  await vi.waitFor(() => expect(focused()).toBe('A page'));
  show('<h1>A page with its rows</h1>');
  await vi.waitFor(() => expect(focused()).toBe('A page with its rows'));
});

it('leaves the focus where the person has put it meanwhile', async () => {
  await follow();
  const button = document.querySelector('button')!;
  button.focus();
  document.body.append('something');
  await new Promise(resolve => requestAnimationFrame(resolve));
  button.remove();
  await new Promise(resolve => requestAnimationFrame(resolve));
  expect(document.activeElement).toBe(document.body);
});
