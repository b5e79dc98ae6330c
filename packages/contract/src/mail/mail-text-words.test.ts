import { expect, test } from 'vitest';
import { fillWith, problemsOfText } from './mail-text-words.ts';

const words = [
  { word: 'title', required: true, sample: 'x' },
  { word: 'link', required: true, sample: '' },
  { word: 'note', required: false, sample: 'x' },
];

test('a text that has its required words and no others can be saved', () => {
  expect(problemsOfText({ subject: 'About {title}', body: 'Open {link}' }, words)).toEqual([]);
});

test('unknown words are named with those there are, and so are missing ones', () => {
  expect(problemsOfText({ subject: 'About {Title}', body: 'Hello {__proto__}' }, words)).toEqual([
    { field: 'subject', message: 'This mail doesn’t have {Title}. It has {title}, {link}, {note}' },
    { field: 'body', message: 'This mail doesn’t have {__proto__}. It has {title}, {link}, {note}' },
    { field: 'body', message: 'Use {title}, {link}: without it people can’t act on the mail' },
  ]);
});

test('a lone brace is refused, and a link in the subject', () => {
  expect(problemsOfText({ subject: '{title} {link}', body: 'a } b' }, words)).toEqual([
    { field: 'body', message: 'Close each brace, as in {accountName}' },
    { field: 'subject', message: 'The link can’t be in the subject: it is a secret' },
  ]);
});

test('values are filled in once, and never read as words', () => {
  expect(fillWith({ subject: '{a}', body: '{b}\n\n{a}' }, { a: '{b}\nx', b: '' })).toEqual({ subject: '{b} x', body: '{b}\nx' });
});
