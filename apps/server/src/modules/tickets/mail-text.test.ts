import { expect, test } from 'vitest';
import { textOfHtml, textOfMail, withoutQuote } from './mail-text.ts';

test('only the text of outside HTML is kept: no element, script, style or image', () => {
  const html =
    '<style>p{color:red}</style><h1>Hello</h1><p onclick="x()">Two <b>debits</b>: <a href="https://bank.example/a">see</a></p><img src="https://spy.example/p.gif" alt="spy"><script>alert(1)</script>';
  expect(textOfHtml(html)).toBe('Hello\n\nTwo debits: see [https://bank.example/a]');
  expect(textOfHtml('<p>&lt;script&gt;</p>')).toBe('<script>');
  expect(textOfHtml('<div>'.repeat(50_000)).length).toBeLessThan(50_000);
});

test('text quoted by a mail program below an answer is removed, text quoted by a person above it stays', () => {
  expect(withoutQuote('Yes.\n\nOn 21 Nov 2026 at 10:59, Registry\nwrote:\n> Two?\n>\n> Bye\n')).toBe('Yes.');
  expect(withoutQuote('> Two?\nYes, two.')).toBe('> Two?\nYes, two.');
  expect(withoutQuote('> only a quote')).toBe('> only a quote');
  expect(withoutQuote('No quote.\n')).toBe('No quote.');
});

test('a long mail is shortened with a note, and characters that the database can’t store are removed', () => {
  const long = textOfMail({ text: `a${String.fromCharCode(0)}b `.repeat(20_000) });
  expect(long.length).toBeLessThanOrEqual(20_000);
  expect(long).toMatch(/^ab ab/);
  expect(long).toContain('(The rest of the e-mail was left out.)');
  expect(textOfMail({ html: '<p>Hi</p>' })).toBe('Hi');
  expect(textOfMail({})).toBe('');
});
