import { expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { readProfile } from '../../profile.ts';
import { openClients } from '../identity/sessions/clients.ts';
import { themeOf } from './shell.ts';

const themeWith = (settings: Record<string, string>) => themeOf(readConfig(settings), readProfile(''));
const links = (list: readonly { link: string }[]) => list.map(({ link }) => link);

test('a dashboard outside the portal is a quick link where its host is set', () => {
  expect(links(themeWith({}).omnibarQuickLinks)).not.toContain('https://dash.example.net/');
  expect(themeWith({ DASHBOARD_WEB_HOST: 'dash.example.net' }).omnibarQuickLinks[0]).toEqual({
    label_en_us: 'Dashboard',
    link: 'https://dash.example.net/',
  });
});

test('support leads to the tickets of the portal, or to SUPPORT_URL; help to its articles', () => {
  const linkOf = (settings: Record<string, string>, label: string): string[] => {
    const { omnibarQuickLinks, footerAsideLinks } = themeWith(settings);
    return [...omnibarQuickLinks, ...footerAsideLinks].filter(each => each.label_en_us === label).map(({ link }) => link);
  };
  expect(linkOf({}, 'Support')).toEqual(['/contact/helpdesk/rt-tickets']);
  expect(linkOf({ SUPPORT_URL: 'https://support.example.net/' }, 'Support')).toEqual(['https://support.example.net/']);
  expect(linkOf({ SUPPORT_URL: 'https://support.example.net/' }, 'Help')).toEqual(['/help']);
});

test('membership pages outside the portal are a membership link; the last one stays logout', () => {
  const root = 'https://www.example.net/membership';
  expect(links(themeWith({}).omnibarCurrentUserMembershipLinks)).not.toContain(root);
  const membership = themeWith({ MEMBERSHIP_EXTERNAL_ROOT_URL: root }).omnibarCurrentUserMembershipLinks;
  expect(links(membership)).toContain(root);
  expect(membership.at(-1)?.isLogout).toBe(true);
});

test.each([
  [{}, 'http://localhost:8080/'],
  [{ LOGOUT_URL: 'https://www.example.net/goodbye' }, 'https://www.example.net/goodbye'],
])('with %j people may be led to %s once they are signed out', (settings, address) => {
  expect(openClients(readConfig(settings)).metadata[0]?.post_logout_redirect_uris).toEqual([address]);
});

test.each([
  [{ RENEW_MODE: 'refresh-token' }, 'RENEW_MODE=refresh-token is for another provider'],
  [{ LOGOUT_URL: 'goodbye' }, 'LOGOUT_URL'],
  [{ LOGOUT_URL: 'javascript:alert(1)' }, 'LOGOUT_URL'],
  [{ DASHBOARD_WEB_HOST: 'https://dash.example.net/' }, 'DASHBOARD_WEB_HOST'],
  [{ DASHBOARD_SERVER_HOST: 'dash.example.net/api' }, 'DASHBOARD_SERVER_HOST'],
])('%j would have no effect, or a wrong one, and is refused at the start', (settings, name) => {
  expect(() => readConfig(settings)).toThrow(name);
});

test('refresh tokens are for another provider', () => {
  expect(readConfig({ RENEW_MODE: 'refresh-token', ISSUER_URI: 'https://id.example.net' }).renewMode).toBe('refresh-token');
});
