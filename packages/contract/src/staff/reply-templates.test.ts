import { expect, test } from 'vitest';
import { fillTemplate, unknownPlaceholders } from './reply-templates.ts';

const known = { account: 'EXAMPLE-AU', request: 'REQ-7', contact: 'Corin {account}' };

test('each occurrence of a placeholder is replaced, and inserted text is not scanned again', () => {
  expect(fillTemplate('Dear {contact}, {request} of {account}: {request}.', known)).toEqual({
    text: 'Dear Corin {account}, REQ-7 of EXAMPLE-AU: REQ-7.',
    missing: [],
  });
});

test('a placeholder without a value stays and is reported once', () => {
  expect(fillTemplate('{account}, {account}, {request}', { ...known, account: null, request: '' })).toEqual({
    text: '{account}, {account}, {request}',
    missing: ['account', 'request'],
  });
});

test('unknown words in braces are found as written', () => {
  expect(unknownPlaceholders('{account} {Account} {} {\n} {name of it}')).toEqual(['{Account}', '{}', '{name of it}']);
  expect(unknownPlaceholders('{account}, {request} and {contact} }{')).toEqual([]);
});
