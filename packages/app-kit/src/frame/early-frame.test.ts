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

test('the framed page of the address is asked for by what it is made of, and taken over once', () => {
  openEarlyFrame();
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

test('nothing is asked for where the server frames nothing, or the browser could not move the frame without loading it anew', () => {
  document.head.replaceChildren();
  openEarlyFrame();
  document.head.innerHTML = '<meta name="frame-release" content="abc">';
  delete movable.moveBefore;
  openEarlyFrame();
  expect(document.querySelector('iframe')).toBeNull();
});

test.each([
  ['?release=abc', ''],
  ['?within=1&release=abc', '?within=1'],
  ['?release=abc&within=1', '?within=1'],
  ['?a=1&release=abc&b=2', '?a=1&b=2'],
  ['?releases=abc', '?releases=abc'],
  ['', ''],
])('a framed page does not see what its document is kept by: %s is %s', (search, seen) => {
  expect(framedSearch(search)).toBe(seen);
});
