import { expect, it } from 'vitest';
import { fetchTheme } from './theme-links.ts';

it('the theme of a public host is read without a bearer', async () => {
  let sent: RequestInit | undefined;
  const theme = await fetchTheme('https://cdn.example.net/theme.json', (_, init) => {
    sent = init;
    return Promise.resolve(Response.json({ omnibarQuickLinks: [] }));
  });
  expect(theme).toEqual({ omnibarQuickLinks: [] });
  expect(JSON.stringify(sent)).not.toMatch(/authorization/i);
});

it.each([
  ['is missing', () => Promise.resolve(new Response('', { status: 404 }))],
  ['is no JSON', () => Promise.resolve(new Response('<html>'))],
  ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
])('there is none when it %s', async (_, get) => {
  expect(await fetchTheme('/theme.json', get)).toBeNull();
});
