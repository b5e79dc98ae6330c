import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { elementOf, scrollOnArrival } from './scroll.ts';

const scrolls: ScrollToOptions[] = [];
let scrolled = 0;
let frames: FrameRequestCallback[] = [];
const runFrame = () => {
  const now = frames;
  frames = [];
  for (const frame of now) frame(0);
};

beforeEach(() => {
  scrolls.length = 0;
  frames = [];
  document.body.innerHTML = '';
  vi.spyOn(window, 'scrollTo').mockImplementation(((to: ScrollToOptions) => {
    scrolls.push(to);
    scrolled = to.top!;
  }) as never);
  vi.spyOn(window, 'requestAnimationFrame').mockImplementation(frame => frames.push(frame));
  scrolled = 0;
  vi.spyOn(window, 'scrollY', 'get').mockImplementation(() => scrolled);
});
afterEach(() => void vi.restoreAllMocks());

const place = (id: string, top: number) => {
  const element = document.createElement('h2');
  element.id = id;
  element.getBoundingClientRect = () => ({ top: top - window.scrollY }) as DOMRect;
  document.body.append(element);
};

it('a hash scrolls smoothly to its element, 10 px below what sticks to the top', () => {
  place('history', 900);
  scrollOnArrival('#history', null, 48);
  expect(scrolls).toEqual([{ top: 900 - 48 - 10, behavior: 'smooth' }]);
});

it('a hash wins over a saved position', () => {
  place('history', 900);
  scrollOnArrival('#history', 300, 0);
  expect(scrolls).toEqual([{ top: 890, behavior: 'smooth' }]);
});

it('an element that is still loading is waited for', () => {
  scrollOnArrival('#late', null, 0);
  expect(scrolls).toEqual([]);
  place('late', 500);
  runFrame();
  expect(scrolls).toEqual([{ top: 490, behavior: 'smooth' }]);
});

it('a person who scrolls meanwhile is not interrupted', () => {
  scrollOnArrival('#late', null, 0);
  window.dispatchEvent(new Event('wheel'));
  place('late', 500);
  runFrame();
  expect(scrolls).toEqual([]);
});

it('without hash the saved position is restored, otherwise the page goes to the top', () => {
  scrollOnArrival('', 640, 48);
  scrollOnArrival('', null, 48);
  expect(scrolls).toEqual([
    { top: 640, behavior: 'instant' },
    { top: 0, behavior: 'instant' },
  ]);
});

it('a hash may hold letters that were encoded, and a lone percent sign', () => {
  place('größe', 1);
  place('100%', 1);
  expect(elementOf('#gr%C3%B6%C3%9Fe')?.id).toBe('größe');
  expect(elementOf('#100%')?.id).toBe('100%');
  expect(elementOf('#')).toBeNull();
});
