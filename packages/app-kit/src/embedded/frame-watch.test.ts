import { afterEach, expect, it, vi } from 'vitest';
import { watchPage } from './frame-watch.ts';

afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

/** A frame that shows one page with a link, and whose frames of animation are drawn by hand. */
function opened() {
  const frames: FrameRequestCallback[] = [];
  vi.spyOn(window, 'requestAnimationFrame').mockImplementation(frame => frames.push(frame));
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  document.body.innerHTML = '<h1>First</h1><a href="/second">Second</a><button>Beside</button>';
  document.querySelector('a')!.focus();
  let path = '/first';
  let follow = (): void => undefined;
  const router = { place: () => ({ path }), subscribe: (listener: () => void) => ((follow = listener), () => undefined) };
  watchPage(router as never, async () => undefined);
  path = '/second';
  follow();
  const draw = async () => {
    await Promise.resolve();
    frames.splice(0).forEach(frame => frame(0));
  };
  return { draw };
}

it('gives the focus to the heading of the page once the last one has left the screen, however late', async () => {
  const { draw } = opened();
  await draw();
  await draw();
  expect(document.activeElement?.tagName, 'the last page is still there').toBe('A');
  document.body.innerHTML = '<h1>Second</h1>';
  await draw();
  expect(document.activeElement?.textContent).toBe('Second');
});

it('leaves the focus where the person has put it meanwhile', async () => {
  const { draw } = opened();
  await draw();
  document.querySelector('button')!.focus();
  await draw();
  await draw();
  expect(document.activeElement?.textContent).toBe('Beside');
});
