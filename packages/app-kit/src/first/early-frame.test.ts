import { afterEach, beforeEach, expect, test } from 'vitest';
import { framedSearch, openEarlyFrame, takeEarlyFrame } from './early-frame.ts';

const movable = Element.prototype as { moveBefore?: (node: Node, before: Node | null) => void };
beforeEach(() => {
  movable.moveBefore = function (this: Element, node, before) {
    this.insertBefore(node, before);
  };
  document.head.innerHTML = '<meta name="frame-release" content="abc">';
  window.history.replaceState(null, '', '/resources/ipv4?within=192.0.2.0/24#map');
});
afterEach(() => {
  delete movable.moveBefore;
  document.head.replaceChildren();
  document.body.replaceChildren();
});

test('the framed page of the address is requested by its content hash, and taken over once', () => {
  void openEarlyFrame(false);
  const frame = document.querySelector('iframe')!;
  expect(frame.getAttribute('src')).toBe('/resources/ipv4.html?within=192.0.2.0/24&release=abc#map');
  expect(frame.hidden).toBe(true);
  const stage = document.createElement('div');
  document.body.append(stage);
  expect(takeEarlyFrame(stage)).toEqual({ frame, href: '/resources/ipv4?within=192.0.2.0/24#map', height: 0 });
  expect(stage.firstElementChild).toBe(frame);
  expect(frame.hidden).toBe(false);
  expect(takeEarlyFrame(stage)).toBeNull();
});

test('on a slow connection a frame that has drawn its page’s head is shown where the page will have it, and stays as high', () => {
  document.body.innerHTML = '<main><div aria-busy="true"><h1>IPv4</h1></div></main>';
  const place = document.querySelector<HTMLElement>('[aria-busy]')!;
  place.getBoundingClientRect = () => new DOMRect(240, 90, 700, 400);
  void openEarlyFrame(true);
  const frame = document.querySelector('iframe')!;
  frame.dispatchEvent(new Event('frame-drawn'));
  expect(frame.style).toMatchObject({ opacity: '', left: '236px', top: '90px', width: '708px' });
  expect(frame.title).toBe('IPv4');
  expect(place.style.visibility).toBe('hidden');
  const stage = document.createElement('div');
  document.body.append(stage);
  expect(takeEarlyFrame(stage)?.height).toBe(Math.max(320, window.innerHeight - 90));
  expect(frame.getAttribute('style') ?? '').toBe('');
});

test('a frame that the portal has taken over is left as it is', () => {
  document.body.innerHTML = '<main><div aria-busy="true"></div></main><div id="stage"></div>';
  void openEarlyFrame(true);
  const { frame, height } = takeEarlyFrame(document.getElementById('stage')!)!;
  frame.dispatchEvent(new Event('frame-drawn'));
  expect([height, frame.style.left]).toEqual([0, '']);
});

test('nothing is requested if the server frames nothing, or the browser can’t move a frame without reloading it', () => {
  document.head.replaceChildren();
  void openEarlyFrame();
  document.head.innerHTML = '<meta name="frame-release" content="abc">';
  delete movable.moveBefore;
  void openEarlyFrame();
  expect(document.querySelector('iframe')).toBeNull();
});

test.each([
  ['?release=abc', ''],
  ['?within=1&release=abc', '?within=1'],
  ['?release=abc&within=1', '?within=1'],
  ['?a=1&release=abc&b=2', '?a=1&b=2'],
  ['?releases=abc', '?releases=abc'],
  ['', ''],
])('a framed page does not see the cache key of its document: %s is %s', (search, seen) => {
  expect(framedSearch(search)).toBe(seen);
});
