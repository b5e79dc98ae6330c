import { expect, it } from 'vitest';
import { anAccount } from '../../test/member.tsx';
import { accountToSelect, selectableAccounts, storeAccountName, storedAccountName } from './selected-account.ts';

const accounts = [
  anAccount({ accountName: 'ZULU-NZ' }),
  anAccount({ accountName: 'GONE-AU', accountStatus: 'closed' }),
  anAccount({ accountName: 'LATE-AU', accountStatus: 'suspended' }),
  anAccount({ accountName: 'ALPHA-AU' }),
];

it('closed accounts are dropped and the rest sorted by name', () => {
  expect(selectableAccounts(accounts).map(account => account.accountName)).toEqual(['ALPHA-AU', 'LATE-AU', 'ZULU-NZ']);
});

it('the account of the last visit is selected again', () => {
  expect(accountToSelect(selectableAccounts(accounts), 'ZULU-NZ')?.accountName).toBe('ZULU-NZ');
});

it.each([
  ['nothing is stored', null],
  ['the stored one was closed', 'GONE-AU'],
  ['the stored one is no longer theirs', 'OTHER-AU'],
])('the first account is selected when %s', (_, stored) => {
  expect(accountToSelect(selectableAccounts(accounts), stored)?.accountName).toBe('ALPHA-AU');
});

it('without accounts none is selected', () => {
  expect(accountToSelect([], 'ALPHA-AU')).toBeNull();
});

it('each login keeps its own choice on a device', () => {
  storeAccountName('tess', 'ALPHA-AU');
  storeAccountName('corin', 'ZULU-NZ');
  expect(storedAccountName('tess')).toBe('ALPHA-AU');
  expect(localStorage.getItem('selected-account:corin')).toBe('ZULU-NZ');
  expect(storedAccountName('bill')).toBeNull();
});

it('a browser without storage selects for this visit only', () => {
  const refuses = {
    getItem: () => {
      throw new Error('denied');
    },
    setItem: () => {
      throw new Error('denied');
    },
  } as unknown as Storage;
  expect(() => storeAccountName('tess', 'ALPHA-AU', refuses)).not.toThrow();
  expect(storedAccountName('tess', refuses)).toBeNull();
});
