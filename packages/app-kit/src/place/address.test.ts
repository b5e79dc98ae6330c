import { expect, test } from 'vitest';
import { changedSearch } from './address.ts';

test('values are changed, emptied ones are left out, the others stay', () => {
  expect(changedSearch('?q=a&page=2', { q: '', page: null, type: 'allocated', sort: undefined })).toBe('?type=allocated');
  expect(changedSearch('?q=a', { q: null })).toBe('');
});

test('prefixes stay readable in the address', () => {
  expect(changedSearch('', { within: '2001:db8::/32', selected: '198.18.64.0 - 198.18.66.255' })).toBe(
    '?within=2001:db8::/32&selected=198.18.64.0+-+198.18.66.255',
  );
});
