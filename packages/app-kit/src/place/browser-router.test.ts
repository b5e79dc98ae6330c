import { beforeEach, expect, it } from 'vitest';
import { type Arrival, createBrowserRouter } from './browser-router.ts';
import type { Place } from '../kit/place.ts';

let arrivals: { place: Place; arrival: Arrival }[];
const routerAt = (address: string) => {
  window.history.replaceState(null, '', address);
  return createBrowserRouter((place, arrival) => arrivals.push({ place, arrival }));
};
beforeEach(() => {
  arrivals = [];
});

it('goes a step forward', () => {
  const router = routerAt('/');
  let renders = 0;
  router.subscribe(() => (renders += 1));
  router.go('/settings?a=1#b');
  expect(router.place()).toEqual({ path: '/settings', search: '?a=1', hash: '#b' });
  expect(window.location.pathname).toBe('/settings');
  expect(arrivals.at(-1)?.arrival).toEqual({ by: 'step' });
  expect(renders).toBe(1);
});

it('a filter takes the place of the entry', () => {
  const router = routerAt('/staff/holders');
  const before = window.history.length;
  router.go('?q=198.18.0.0', { replace: true });
  expect(window.history.length).toBe(before);
  expect(arrivals.at(-1)?.arrival).toEqual({ by: 'replace' });
});

it('navigating to the current page reloads it', () => {
  const router = routerAt('/settings');
  router.go('/settings');
  expect(arrivals.at(-1)?.arrival).toEqual({ by: 'reload' });
});

it('going back restores the position', () => {
  routerAt('/settings');
  window.dispatchEvent(new PopStateEvent('popstate', { state: { top: 640 } }));
  expect(arrivals.at(-1)?.arrival).toEqual({ by: 'history', top: 640 });
});

it('refuses to leave the origin', () => {
  const router = routerAt('/settings');
  expect(() => router.go('https://example.net/')).toThrow();
  expect(window.location.pathname).toBe('/settings');
});
