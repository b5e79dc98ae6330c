import { expect, it } from 'vitest';
import { loadDocument } from './load-document.ts';

it.each([
  ['/desk/requests?request=transfers-3', 'replaced /desk/requests?request=transfers-3'],
  ['/desk/accounts/LABNET-AU#event-space', 'reloaded'],
])('the document of %s is loaded, also where the address has a hash', (address, done) => {
  const { pathname, search, hash } = new URL(address, 'https://portal.example');
  const acts: string[] = [];
  loadDocument(
    { path: pathname, search, hash },
    { replace: href => void acts.push(`replaced ${href}`), reload: () => void acts.push('reloaded') },
  );
  expect(acts).toEqual([done]);
});
