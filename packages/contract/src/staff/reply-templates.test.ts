import { expect, test } from 'vitest';
import { fillTemplate, unknownPlaceholders } from './reply-templates.ts';

const known = { account: 'EXAMPLE-AU', request: 'REQ-7', contact: 'Corin {account}' };

test('placeholders become what they stand for, each as often as it occurs, and what stands in their place is not read again', () => {
  expect(fillTemplate('Dear {contact}, {request} of {account}: {request}.', known)).toEqual({
    text: 'Dear Corin {account}, REQ-7 of EXAMPLE-AU: REQ-7.',
    missing: [],
  });
});

test('a placeholder of which nothing is known stays and is named once', () => {
  expect(fillTemplate('{account}, {account}, {request}', { ...known, account: null, request: '' })).toEqual({
    text: '{account}, {account}, {request}',
    missing: ['account', 'request'],
  });
});

test('what no placeholder is in braces is found as it is written', () => {
  expect(unknownPlaceholders('{account} {Account} {} {\n} {name of it}')).toEqual(['{Account}', '{}', '{name of it}']);
  expect(unknownPlaceholders('{account}, {request} and {contact} }{')).toEqual([]);
});
