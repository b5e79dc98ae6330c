import { expect, it } from 'vitest';
import { fetchTheme, themeFrom } from './theme-links.ts';

const link = { label_en_us: 'Help', link: '/help' };
const whole = {
  omnibarQuickLinks: [link],
  omnibarCurrentUserAccountLinks: [link],
  omnibarCurrentUserMembershipLinks: [{ ...link, isLogout: true }],
  footerLogo: link,
  footerSocialLinks: [{ ...link, iconClass: 'x' }],
  footerAsideLinks: [link],
};

it('the theme of a public host is read without a bearer', async () => {
  let sent: RequestInit | undefined;
  const theme = await fetchTheme('https://cdn.example.net/theme.json', (_, init) => {
    sent = init;
    return Promise.resolve(Response.json(whole));
  });
  expect(theme).toEqual(whole);
  expect(JSON.stringify(sent)).not.toMatch(/authorization/i);
});

it.each([
  ['is missing', () => Promise.resolve(new Response('', { status: 404 }))],
  ['is no JSON', () => Promise.resolve(new Response('<html>'))],
  ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
])('there is no theme if it %s', async (_, get) => {
  expect(await fetchTheme('/theme.json', get)).toBeNull();
});

it.each([[[]], [null], ['theme'], [7], [true]])('%j is not a theme', given => expect(themeFrom(given)).toBeNull());

it.each(Object.keys(whole) as (keyof typeof whole)[])('a theme without %s keeps the rest, and that part is empty', part => {
  const { [part]: _, ...rest } = whole;
  for (const given of [rest, { ...rest, [part]: null }, { ...rest, [part]: 'none' }])
    expect(themeFrom(given)).toEqual({ ...whole, [part]: part === 'footerLogo' ? null : [] });
});

it('a link without label or address is left out, its neighbours stay', () => {
  const footerAsideLinks = [null, { link: '/a' }, link, { label_en_us: 7, link: '/b' }];
  expect(themeFrom({ ...whole, footerAsideLinks })?.footerAsideLinks).toEqual([link]);
});
