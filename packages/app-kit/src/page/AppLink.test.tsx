import { backEndPaths } from '@portal/contract/back-end-paths';
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { aRouter, show } from '../../test/member.tsx';
import { AppLink } from './AppLink.tsx';

const follow = (href: string, at = '/resources/ipv4', press: MouseEventInit = {}) => {
  const router = aRouter(at);
  show(<AppLink href={href}>go</AppLink>, { router });
  const stays = fireEvent.click(screen.getByText('go'), press);
  return { router, loadsPage: stays };
};

it('a path is navigated in place', () => {
  const { router, loadsPage } = follow('/settings');
  expect(router.went).toEqual([{ href: '/settings', replace: false }]);
  expect(loadsPage).toBe(false);
});

it.each(['http://example.net/', 'https://example.net/', 'ftp://ftp.example.net/pub/stats'])(
  '%s loads a page and cannot reach back',
  href => {
    const { router, loadsPage } = follow(href);
    expect(router.went).toEqual([]);
    expect(loadsPage).toBe(true);
    expect(screen.getByText('go').getAttribute('rel')).toBe('noopener noreferrer');
  },
);

it('a mail address is the browser’s', () => {
  const { router, loadsPage } = follow('mailto:hostmaster@registry.example');
  expect(router.went).toEqual([]);
  expect(loadsPage).toBe(true);
  expect(screen.getByText('go').getAttribute('href')).toBe('mailto:hostmaster@registry.example');
});

it.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example/', 'java\nscript:alert(1)'])('%s stays plain text', href => {
  follow(href);
  expect(screen.getByText('go').tagName).toBe('SPAN');
});

it('the current path reloads its page', () => {
  const { router } = follow('/resources/ipv4');
  expect(router.went).toEqual([]);
  expect(router.reloaded).toBe(1);
});

it('the current path without its query goes back to the whole page', () => {
  const { router } = follow('/resources/ipv4', '/resources/ipv4?q=198');
  expect(router.went).toEqual([{ href: '/resources/ipv4', replace: true }]);
  expect(router.reloaded).toBe(1);
});

it.each(['#map', '?sort=size'])('%s of the current page does not reload it', href => {
  const { router } = follow(href);
  expect(router.went).toEqual([{ href, replace: false }]);
  expect(router.reloaded).toBe(0);
});

it.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { button: 1 }])('%o is the browser’s', press => {
  expect(follow('/settings', '/', press).router.went).toEqual([]);
});

const answeredByServer = [
  ...Object.keys(backEndPaths),
  '/dev/mail',
  '/account/security?from=portal',
  '/calendar/events/ROV-WEBINAR.ics',
  '/certificates',
];
it.each(answeredByServer)('%s is no page of the portal and is loaded from the server', href => {
  const { router, loadsPage } = follow(href);
  expect(router.went).toEqual([]);
  expect(loadsPage).toBe(true);
});

it.each(['https://example.net/', '/certificates'])('%s is loaded in place of the portal, not in its frame', href => {
  follow(href);
  expect(screen.getByText('go').getAttribute('target')).toBe('_top');
});
