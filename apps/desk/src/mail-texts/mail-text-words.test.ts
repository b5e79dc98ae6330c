import { expect, test } from 'vitest';
import { filledWithSamples, groupsOf, isFound, textIn, waitsForSecondPerson } from './mail-text-words.ts';

const line = {
  kind: 'tickets.received',
  subject: '{ticketTag} {ticketSubject}',
  begins: 'We received it.',
  topic: 'Tickets',
  receivers: 'you asked',
  isChanged: false,
  programChanged: false,
  isUnfit: false,
  needsSecondPerson: false,
  lastSentAt: null,
  sent: 0,
};

test('a mail is found by all the words of a search, in whatever place', () => {
  expect(isFound(line, 'RECEIVED tickets')).toBe(true);
  expect(isFound(line, '')).toBe(true);
  expect(isFound(line, 'received invoice')).toBe(false);
});

test('mails are listed by topic, and by subject in it', () => {
  const other = { ...line, topic: 'Billing', kind: 'b' };
  expect(
    groupsOf([line, other, { ...line, subject: 'A', kind: 'a' }]).map(({ topic, lines }) => [topic, lines.map(({ kind }) => kind)]),
  ).toEqual([
    ['Billing', ['b']],
    ['Tickets', ['tickets.received', 'a']],
  ]);
});

test('a preview has the samples, a note for the link, and no paragraph that is empty', () => {
  const words = [
    { word: 'name', about: '', sample: 'Tess', required: false },
    { word: 'note', about: '', sample: '', required: false },
    { word: 'link', about: '', sample: '', required: true },
  ];
  expect(filledWithSamples({ subject: 'For {name}', body: '{note}\n\nOpen {link}, {name}. {constructor}' }, words)).toEqual({
    subject: 'For Tess',
    body: 'Open (the link of each mail), Tess. {constructor}',
  });
});

test('a text waits for a second person where its kind does, or with an address that was not there', () => {
  const [program, text] = [
    { subject: 'Hello', body: 'See example.net' },
    { subject: 'Hello', body: 'See example.org' },
  ];
  const details = { needsSecondPerson: false, program, text };
  expect(waitsForSecondPerson({ subject: 'Hi', body: 'See example.net, example.org' }, details)).toBe(false);
  expect(waitsForSecondPerson({ subject: 'Hi', body: 'See example.com' }, details)).toBe(true);
  expect(waitsForSecondPerson(text, { ...details, needsSecondPerson: true })).toBe(true);
});

test('a text in one piece has its subject first', () => {
  expect(textIn('Hello\n\nOne\n\nTwo')).toEqual({ subject: 'Hello', body: 'One\n\nTwo' });
});
