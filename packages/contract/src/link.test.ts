import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkKind, safeReturnPath } from './link.ts';

test.each([
  ['https://example.net/a', 'page'],
  ['HTTP://example.net', 'page'],
  ['ftp://ftp.example.net/x', 'page'],
  ['/resources/ipv4#map', 'in-app'],
  ['contact/helpdesk', 'in-app'],
  ['?q=1', 'in-app'],
  ['mailto:hostmaster@registry.example?subject=Help', 'mail'],
  ['MailTo:hostmaster@registry.example', 'mail'],
  ['mailto://evil.example', 'refused'],
  ['mailto:a\nb', 'refused'],
  ['mailto:', 'refused'],
  ['tel:+61', 'refused'],
  ['//evil.example/x', 'refused'],
  ['javascript:alert(1)', 'refused'],
  [' JaVaScRiPt:alert(1)', 'refused'],
  ['java\nscript:alert(1)', 'refused'],
  ['data:text/html,x', 'refused'],
  ['\\\\evil.example', 'refused'],
  ['/\\evil.example', 'refused'],
] as const)('%j is %s', (href, kind) => {
  expect(linkKind(href)).toBe(kind);
});

test('whatever is followed in the application stays on its origin', () => {
  fc.assert(
    fc.property(fc.string(), text => {
      const path = safeReturnPath(text);
      expect(new URL(path, 'https://portal.example').origin).toBe('https://portal.example');
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['/a?b#c', '/a?b#c'],
  ['a', '/'],
  ['//x', '/'],
  ['https://x', '/'],
  ['mailto:a@b.example', '/'],
  [undefined, '/'],
  ['/\t/x', '/'],
])('%j returns to %j', (given, path) => {
  expect(safeReturnPath(given)).toBe(path);
});
