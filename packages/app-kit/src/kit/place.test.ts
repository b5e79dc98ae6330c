import { expect, it } from 'vitest';
import { hrefOf, placeOf } from './place.ts';

const here = { path: '/resources/ipv4', search: '?q=198', hash: '#map' };

it.each([
  ['/settings', '/settings'],
  ['?sort=size', '/resources/ipv4?sort=size'],
  ['#history', '/resources/ipv4?q=198#history'],
  ['ipv6', '/resources/ipv6'],
  ['/voting/7/cast?a=b#c', '/voting/7/cast?a=b#c'],
])('%s leads to %s', (href, there) => {
  expect(hrefOf(placeOf(href, here))).toBe(there);
});

it.each(['https://example.net/', '//example.net/', 'javascript:alert(1)'])('%s is not an address inside the portal', href => {
  expect(() => placeOf(href, here)).toThrow('isn’t an address inside the portal');
});
