import { expect, test } from 'vitest';
import { addressesOf } from './page-reads.ts';

test('reads are written down as addresses, with a mark for the selected account, of the pages that declare any', () => {
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
