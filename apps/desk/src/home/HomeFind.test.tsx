import { aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import type { SearchHit } from '@portal/contract/search/search';
import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { HomeFind } from './HomeFind.tsx';

const hits: SearchHit[] = [
  { section: 'resources', text: '198.19.44.0/24', note: 'EXAMPLE-TO', link: '/desk/accounts/EXAMPLE-TO', kind: 'ipv4' },
  { section: 'requests', text: 'REQ-7', note: 'Transfer 198.19.44.0/24', link: '/desk/requests/resources-7', kind: null },
];

function open() {
  const router = aRouter('/desk');
  const shown = show(<HomeFind />, {
    router,
    session: aSession({ account: null, person: aPerson({ userId: 'stella', staff: true }) }),
    answer: () => ({ status: 200, data: hits }),
  });
  return { ...shown, router };
}

it('a key leads to the field, what is found stands below it, and Enter opens the first', async () => {
  const { router } = open();
  fireEvent.keyDown(document.body, { key: '/' });
  const field = screen.getByRole('searchbox', { name: 'Search everything' });
  expect(document.activeElement).toBe(field);
  await userEvent.type(field, '198.19.44');
  const found = within(await screen.findByRole('list', { name: 'Found' }));
  expect((await found.findAllByRole('link')).map(link => link.getAttribute('href'))).toEqual([
    '/desk/accounts/EXAMPLE-TO',
    '/desk/requests/resources-7',
    '/desk/people?q=198.19.44',
  ]);
  await userEvent.type(field, '{Enter}');
  expect(router.place().path).toBe('/desk/accounts/EXAMPLE-TO');
});

it('a kind narrows what is found, and says when it has nothing', async () => {
  open();
  await userEvent.type(screen.getByRole('searchbox'), '198.19.44');
  await screen.findByRole('link', { name: /REQ-7/ });
  await userEvent.click(screen.getByRole('button', { name: 'Cases' }));
  expect(screen.getAllByRole('link').map(link => link.getAttribute('href'))).toEqual(['/desk/requests/resources-7']);
  await userEvent.click(screen.getByRole('button', { name: 'Invoices' }));
  expect(screen.getByText('No match for “198.19.44” in invoices.')).toBeTruthy();
});
