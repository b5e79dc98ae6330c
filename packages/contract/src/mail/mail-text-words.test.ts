import { expect, test } from 'vitest';
import { fillWith, namesNewAddress, problemsOfText } from './mail-text-words.ts';

const rules = {
  program: { subject: '{tag} {title}', body: 'Open {link}, because {reason}. {note}' },
  words: [
    { word: 'tag', required: true },
    { word: 'title', required: false },
    { word: 'link', required: true },
    { word: 'reason', required: true },
    { word: 'note', required: false },
  ],
};
const all = '{tag}, {title}, {link}, {reason}, {note}';
const whole = { subject: '{tag} About', body: '{reason}: {link}' };

test('a text that has its required words and no others can be saved', () => {
  expect(problemsOfText(whole, rules)).toEqual([]);
});

test('unknown words are named with those there are, and so are missing ones', () => {
  expect(problemsOfText({ subject: '{tag} {Title}', body: 'Hello {__proto__} {constructor}' }, rules)).toEqual([
    { field: 'subject', message: `This mail doesn’t have {Title}. It has ${all}` },
    { field: 'body', message: `This mail doesn’t have {__proto__}, {constructor}. It has ${all}` },
    { field: 'body', message: 'Use {link}, {reason}: without them the mail says too little' },
  ]);
  expect(problemsOfText({ subject: 'Hello {name}', body: 'Hello' }, { program: { subject: 'x', body: 'x' }, words: [] })).toEqual([
    { field: 'subject', message: 'This mail doesn’t have {name}. It has no words in braces' },
  ]);
});

test('a lone brace is refused, and a link in the subject', () => {
  expect(problemsOfText({ subject: '{tag} {link}', body: '{reason} {link} a } b' }, rules)).toEqual([
    { field: 'body', message: 'Close each brace, as in {accountName}' },
    { field: 'subject', message: 'The link can’t be in the subject: it is a secret' },
  ]);
});

test('a required word stays where the program has it', () => {
  expect(problemsOfText({ subject: '{title} {reason}', body: '{tag} {link}' }, rules)).toEqual([
    { field: 'subject', message: 'Use {tag}: without it the mail says too little' },
    { field: 'body', message: 'Use {reason}: without it the mail says too little' },
  ]);
});

test.each(['\u0000', '\u001b', '\u202e', '\u2066', '\u2028', '\r'])('%j is refused, which is no text', character => {
  const message = 'Enter text without control characters';
  expect(problemsOfText({ ...whole, body: `${whole.body}${character}` }, rules)).toEqual([{ field: 'body', message }]);
  expect(problemsOfText({ ...whole, subject: `${whole.subject}${character}` }, rules)).toEqual([{ field: 'subject', message }]);
});

test.each([
  'https://evil.example/x',
  'Log in at evil.example.',
  'www.evil.example',
  'ftp://evil',
  'a@evil',
  '{appUrl}.evil.example/x',
  '{appUrl}.com',
  '{appUrl}@evil',
  '(пример.рф)',
  'http://192.0.2.1/',
])('%j names an address', body => {
  const text = { subject: 'Hello', body };
  expect(namesNewAddress(text, [{ subject: 'Hello', body: 'See example.net' }])).toBe(true);
  expect(namesNewAddress(text, [{ subject: 'Hello', body: 'See example.net' }, text])).toBe(false);
});

test.each(['Call +679 555 0100.', 'Open {appUrl}/account/reset', 'In May. Or in June, e.g. on 3.6.', 'See Example.NET!'])(
  '%j names none that was not there',
  body => {
    expect(namesNewAddress({ subject: 'Hello {title}.', body }, [{ subject: 'Hello', body: 'See example.net' }])).toBe(false);
  },
);

test('values are filled in once, and never read as words; empty paragraphs are left out', () => {
  const values: Record<string, string> = { a: '{b}\nx', b: '' };
  expect(fillWith({ subject: '{a}', body: '{b}\n\n{a}\n\n{b} {b}' }, word => values[word]!)).toEqual({ subject: '{b} x', body: '{b}\nx' });
});
