import { expect, test } from 'vitest';
import { emailAddressProblem } from './email-address.ts';

test.each(['a@b.org', 'first.last+tag@mail.example.net', "o'neil@xn--bcher-kva.example", `${'x'.repeat(64)}@example.net`])(
  '%s is an address',
  address => {
    expect(emailAddressProblem(address)).toBeNull();
  },
);

test.each([
  'a',
  'a@',
  '@b.org',
  'a@b',
  'a b@example.net',
  'a@b@c.org',
  '.a@example.net',
  'a..b@example.net',
  'a@-b.org',
  'a@b..org',
  'a@b.org.',
  '"a"@b.org',
  'a@b.org,c@d.org',
  'a@[192.0.2.1]',
  `${'x'.repeat(65)}@example.net`,
  `a@${'x.'.repeat(130)}org`,
  'a@b.org\r\nBcc: c@d.org',
])('%j is none', address => {
  // biome-ignore format: one list
  expect(emailAddressProblem(address)).toMatch(/^Enter a valid email address, such as/);
});

test.each(['bücher@example.net', 'a@bücher.example', '用户@例子.公司'])('%s is not in English letters', address => {
  expect(emailAddressProblem(address)).toBe('This must be a valid email in English.');
});
