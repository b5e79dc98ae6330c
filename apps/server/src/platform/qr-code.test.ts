import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { qrCode } from './qr-code.ts';

/** The dark modules a drawing fills, as rows of `#` and blanks. */
function drawn(markup: string): string[] {
  const size = Number(/viewBox="0 0 (\d+) /.exec(markup)![1]);
  const path = /fill="#000" d="([^"]*)"/.exec(markup)![1]!;
  const rows = Array.from({ length: size }, () => Array<string>(size).fill(' '));
  for (const [, x, y, length, back] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)) {
    expect(back).toBe(length);
    rows[Number(y)]!.fill('#', Number(x), Number(x) + Number(length));
  }
  return rows.map(row => row.join(''));
}

test.each([
  'a',
  'otpauth://totp/MyRegistry:bill%40example-au.example?issuer=MyRegistry&secret=DEMOREGISTRYCORINDEMOREGISTRYCOR',
  'ü'.repeat(200),
])('the drawing of %j has the modules of the code, on white, with the quiet zone cameras need', text => {
  const { markup } = qrCode(text, 'A <code>');
  const expected = encode(text, { ecc: 'M', border: 4 }).data.map(row => row.map(dark => (dark ? '#' : ' ')).join(''));
  expect(drawn(markup)).toEqual(expected);
  for (const edge of [...expected.slice(0, 4), ...expected.slice(-4)]) expect(edge.trim()).toBe('');
  expect(markup).toContain('fill="#fff"');
  expect(markup).toContain('aria-label="A &lt;code&gt;"');
});
