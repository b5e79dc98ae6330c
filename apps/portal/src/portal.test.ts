import { anEnvironment } from '@portal/app-kit/testing';
import { pagePath, sitePages } from '@portal/contract/pages';
import { expect, it } from 'vitest';
import { createPortal } from './portal.ts';

const redirects = sitePages.flatMap(({ path, redirectTo }) =>
  redirectTo ? [[pagePath(path, 'Registry'), pagePath(redirectTo, 'Registry')] as const] : [],
);

it.each(redirects)('%s leads to %s with its query and its hash', (from, to) => {
  window.history.replaceState(null, '', `${from}?view=all#latest`);
  expect(createPortal(anEnvironment()).router.place()).toEqual({ path: to, search: '?view=all', hash: '#latest' });
});
