import { expect, test } from 'vitest';
import { recipeFor, serverKinds } from './fix-recipes.ts';

const about = {
  zone: '3.18.198.in-addr.arpa',
  server: 'ns2.example.net',
  address: '192.0.2.54',
  primary: { server: 'ns1.example.net', address: '192.0.2.53' },
};
const textOf = (
  kind: (typeof serverKinds)[number]['value'],
  given: Parameters<typeof recipeFor>[2] = about,
  check: Parameters<typeof recipeFor>[0] = 'authoritative',
) =>
  recipeFor(check, kind, given)!
    .map(({ text, code }) => `${text} ${code?.text ?? ''}`)
    .join('\n');

test('a server that refuses its zone loads it from the one that answers, with the names and addresses of both', () => {
  for (const { value } of serverKinds.filter(each => each.value !== 'hoster')) {
    expect(textOf(value)).toContain('3.18.198.in-addr.arpa');
    expect(textOf(value)).toContain('192.0.2.53');
    expect(textOf(value)).toContain('192.0.2.54');
  }
});

test('without another server that answers there is nothing to transfer from, so the zone is loaded as primary', () => {
  for (const { value } of serverKinds.filter(each => each.value !== 'hoster')) {
    const text = textOf(value, { ...about, primary: null });
    expect(text).not.toMatch(/secondary|primaries|request-xfr|master/);
    expect(text).toContain('3.18.198.in-addr.arpa');
  }
});

test('ends of signatures have steps of their own, and checks with nothing to configure have none', () => {
  for (const { value } of serverKinds) expect(textOf(value, about, 'signatureLife')).not.toContain('allow-transfer');
  expect(recipeFor('ptr', 'bind', about)).toBeNull();
  expect(recipeFor('twoNetworks', 'hoster', about)).toBeNull();
});
