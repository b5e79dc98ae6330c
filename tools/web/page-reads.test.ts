import { expect, test } from 'vitest';
import { addressesOf } from './page-reads.ts';

test('the reads of pages that declare any become addresses, with a placeholder for the selected account', () => {
  const addressOfRead = (read: object): string => `/api/${encodeURIComponent((read as { account: string }).account)}`;
  const { shell, pages } = addressesOf({
    shellReads: [{ account: 'me' }],
    pages: { home: ({ account }) => [{ account }], logout: undefined },
    addressOfRead,
    addressValues: search => search,
  });
  expect(shell).toEqual(['/api/me']);
  expect(pages).toEqual({ home: ['/api/{account}'] });
});
