import { expect, it } from 'vitest';
import { actSentences, filledIn, partsOf } from './act-sentences.ts';

const said = (sentence: string, given: Record<string, unknown>, names: Record<string, string | null> = {}) =>
  filledIn(sentence, field => given[field], new Map(Object.entries(names)));

it('says what a call was sent, and the names of what its ids stand for', () => {
  expect(said('Rotate “{API key:apiKeyId}” of {account}', { account: 'EXAMPLE-AU' }, { '{API key:apiKeyId}': 'Backups' })).toBe(
    'Rotate “Backups” of EXAMPLE-AU',
  );
  expect(said('Lock {resources}', { resources: ['AS1', 'AS2', 'AS3', 'AS4', 'AS5'] })).toBe('Lock AS1, AS2, AS3 and 2 more');
  expect(said('Providers of AS{customer}', { customer: 64_500 })).toBe('Providers of AS64500');
  expect(said('{on?true:Turn on|false:Turn off} the rule', { on: false })).toBe('Turn off the rule');
  expect(said('Void it: “{reason}”', { reason: 'x'.repeat(300) })).toHaveLength(172);
});

it('leaves out what is in brackets, and says nothing at all if something else is missing', () => {
  expect(said('Credit {invoiceNumber}[ with {amount}]', { invoiceNumber: 'INV-7' })).toBe('Credit INV-7');
  expect(said('Credit {invoiceNumber}[ with {amount}]', { amount: '20.00' })).toBeNull();
  expect(said('Remove {contact:contactId}', { contactId: '7f' }, { '{contact:contactId}': null })).toBeNull();
  expect(said('Invite {fullName}', { fullName: ' ' })).toBeNull();
  expect(said('{decision?approved:Approve|rejected:Reject} it', { decision: 'toString' })).toBeNull();
});

it('lists what there is after a colon, whatever comes first', () => {
  const sentence = actSentences['routes.saveRoutes']!;
  expect(said(sentence, { account: 'A', add: [], change: [{}], remove: ['1', '2'] })).toBe(
    'Save routes of A: change 1 route, remove 2 routes',
  );
  expect(said(sentence, { account: 'A', add: [{}] })).toBe('Save routes of A: add 1 route');
});

it('an old secret is stopped immediately, or works for so many more hours', () => {
  const sentence = actSentences['apiKeys.keepOldSecret']!;
  const name = { '{API key:apiKeyId}': 'ci' };
  expect(said(sentence, { apiKeyId: '7', hours: 0 }, name)).toBe('Stop the old secret of the API key “ci” immediately');
  expect(said(sentence, { apiKeyId: '7', hours: 1 }, name)).toBe('Let the old secret of the API key “ci” work for 1 more hour');
  expect(said(sentence, { apiKeyId: '7', hours: 168 }, name)).toBe('Let the old secret of the API key “ci” work for 168 more hours');
  expect(said(sentence, { apiKeyId: '7', hours: 1 }, { '{API key:apiKeyId}': null })).toBeNull();
});

it('what a person sends is never read as a part of the sentence', () => {
  expect(said('Ask {accountName}: “{question}”', { accountName: '{question}', question: '$& [x] {accountName}' })).toBe(
    'Ask {question}: “$& [x] {accountName}”',
  );
});

it('reads each kind of part', () => {
  expect(partsOf('{a} {contact:b} {c#route} {d?true:x: y|false:z}')).toEqual([
    { written: '{a}', field: 'a' },
    { written: '{contact:b}', field: 'b', thing: 'contact' },
    { written: '{c#route}', field: 'c', noun: 'route' },
    { written: '{d?true:x: y|false:z}', field: 'd', values: { true: 'x: y', false: 'z' } },
  ]);
});
