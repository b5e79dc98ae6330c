import { beforeEach, expect, it } from 'vitest';
import { createEmbeddedRouter } from './embedded-router.ts';
import type { FrameMessage } from '../frame/frame-protocol.ts';

let sent: FrameMessage[];
const routerAt = (address: string) => {
  window.history.replaceState(null, '', address);
  return createEmbeddedRouter(
    () => 'Registry',
    message => sent.push(message),
  );
};
beforeEach(() => {
  sent = [];
});

it('reads its page from the address of the frame', () => {
  expect(routerAt('/resources/ipv4.html?q=198#map').place()).toEqual({ path: '/resources/ipv4', search: '?q=198', hash: '#map' });
});

it('shows another framed page itself and reports its address to the shell', () => {
  const router = routerAt('/resources/ipv4.html');
  router.go('/resources/ipv6?q=2001');
  expect(router.place().path).toBe('/resources/ipv6');
  expect(sent).toEqual([{ type: 'location', href: '/resources/ipv6?q=2001', replace: false }]);
  expect(window.location.pathname).toBe('/resources/ipv6.html');
});

it('leaves back and forward to the shell: its own history does not grow', () => {
  const router = routerAt('/resources/ipv4.html');
  const before = window.history.length;
  router.go('?sort=size', { replace: true });
  router.go('/resources/asn');
  expect(window.history.length).toBe(before);
  expect(sent[0]).toEqual({ type: 'location', href: '/resources/ipv4?sort=size', replace: true });
});

it('asks the shell to leave for a page of the portal', () => {
  const router = routerAt('/resources/ipv4.html');
  router.go('/settings');
  expect(router.place().path).toBe('/resources/ipv4');
  expect(sent).toEqual([{ type: 'navigate', href: '/settings' }]);
});

it('follows the shell without reporting back', () => {
  const router = routerAt('/resources/ipv4.html');
  router.show('/resources/asn?q=1');
  expect(router.place()).toEqual({ path: '/resources/asn', search: '?q=1', hash: '' });
  expect(sent).toEqual([]);
});
