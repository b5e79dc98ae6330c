import type { BrowserApp, Client } from '@portal/app-kit';
import { createHeldConfirmations } from '@portal/app-kit/step-up/held-confirmations';
import { createErrorList } from '@portal/app-kit/page/error-list';
import { pages } from '@portal/contract/pages';
import { search, type SearchHit } from '@portal/contract/search/search';
import { desk as deskCalls } from '@portal/contract/staff/desk';
import { staffQueues } from '@portal/contract/staff/queues';
import { createToasts } from '@portal/ui';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { anEnvironment, aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import { DeskShell } from './DeskShell.tsx';

const stella = aPerson({ userId: 'stella', name: 'Stella', fullName: 'Stella Marsh', staff: true });
const account: SearchHit = {
  section: 'accounts',
  text: 'EXAMPLE-AU',
  note: 'Example Networks',
  link: '/desk/accounts/EXAMPLE-AU',
  kind: null,
};
const counts = {
  kinds: { all: 7 },
  states: { waiting: 7, submitted: 3, 'in-review': 0, 'needs-info': 4 },
  ages: { 0: 7, late: 2 },
  handlers: { any: 7, mine: 0, none: 7, second: 0 },
};
const savedQueue = { queueId: '1', name: 'Old transfers', filter: 'kind=transfers&age=7', savedBy: 'Stan Petrov', isMine: false };
const waiting = { applications: 2, contacts: 1, organisations: 0, closures: 0 };

// The sentence of the status page in the foot.
beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('{}')));
  return () => vi.unstubAllGlobals();
});

/** The shell at an address of the desk, around pages that are never answered. */
function open(at: string, { expired = false } = {}) {
  const router = aRouter(at);
  const errors = createErrorList(() => undefined);
  const call = ((endpoint: { id: string }) =>
    endpoint.id === deskCalls.listRequests.id
      ? Promise.resolve({ status: 200, data: { rows: [], total: 3, waiting, late: 2, counts } })
      : endpoint.id === staffQueues.listQueues.id
        ? Promise.resolve({ status: 200, data: { queues: [savedQueue], workload: [] } })
        : endpoint.id === search.findEverywhere.id
          ? Promise.resolve({ status: 200, data: [account] })
          : new Promise(() => undefined)) as Client;
  const state = { expired, endsIn: null };
  const desk = {
    environment: anEnvironment(),
    call,
    router,
    errors,
    toasts: createToasts(),
    confirmations: createHeldConfirmations(),
    auth: { subscribe: () => () => undefined, state: () => state },
  } as unknown as BrowserApp;
  show(<DeskShell desk={desk} person={stella} />, { router, session: aSession({ person: stella, account: null }), kit: { call } });
  return { router, errors };
}

it('the navigation says where one is and how many open requests', async () => {
  open('/desk/approvals');
  expect(screen.getByRole('link', { name: 'Second approvals' }).getAttribute('aria-current')).toBe('page');
  expect(await screen.findByRole('link', { name: 'Requests', description: '3 waiting' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Accounts' }).getAttribute('aria-current')).toBeNull();
});

it('the navigation has named groups, and each entry an icon of its own', async () => {
  open('/desk/approvals');
  const navigation = screen.getByRole('navigation', { name: 'Desk' });
  expect(
    within(navigation)
      .getAllByRole('heading')
      .map(({ textContent }) => textContent),
  ).toEqual(['Saved queues', 'Registry', 'Communication', 'Office']);
  await screen.findByRole('link', { name: 'Old transfers' });
  const icons = within(navigation)
    .getAllByRole('link')
    .map(link => link.querySelector('path')?.getAttribute('d'));
  expect(new Set(icons).size).toBe(icons.length);
});

it('late cases, cases that wait for members and saved queues are a click away, and the open one is marked', async () => {
  const { router } = open('/desk/requests?age=late');
  // The page beside it has links of the same names once its part is loaded.
  const navigation = within(screen.getByRole('navigation', { name: 'Desk' }));
  const late = await navigation.findByRole('link', { name: 'Late', description: '2 late' });
  expect(late.getAttribute('href')).toBe('/desk/requests?age=late');
  expect(late.getAttribute('aria-current')).toBe('page');
  expect(navigation.getByRole('link', { name: 'Requests' }).getAttribute('aria-current')).toBeNull();
  expect(navigation.getByRole('link', { name: 'Waiting on members', description: '4 waiting' })).toBeTruthy();
  act(() => router.go('/desk/requests?kind=transfers&age=7'));
  expect((await navigation.findByRole('link', { name: 'Old transfers' })).getAttribute('aria-current')).toBe('page');
});

it('the navigation has every page that the site map puts into it', () => {
  open('/desk/approvals');
  const inNavigation = Object.values(pages).filter(page => page.app === 'desk' && 'nav' in page && page.nav);
  expect(inNavigation.length).toBeGreaterThan(10);
  const links = screen.getAllByRole('link').map(link => link.getAttribute('href'));
  expect(inNavigation.map(({ path }) => path).filter(path => !links.includes(path))).toEqual([]);
});

it('the page of one account belongs to the search for accounts', () => {
  open('/desk/accounts/EXAMPLE-AU');
  expect(screen.getByRole('link', { name: 'Accounts' }).getAttribute('aria-current')).toBe('page');
});

it('an address that is no page of the desk says so, with the navigation around it', () => {
  open('/desk/nowhere');
  expect(screen.getByText('There is no page at this address')).toBeTruthy();
  expect(screen.getByRole('link', { name: /^Requests/ })).toBeTruthy();
});

it('the key that finds opens the palette, which searches all members and leads to a page', async () => {
  const { router } = open('/desk/approvals');
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  const field = await screen.findByRole('searchbox', { name: 'Find anything' });
  await userEvent.type(field, 'exam');
  // What was typed is marked inside the name.
  const hit = await waitFor(() => {
    const found = screen.getAllByRole('option').find(({ textContent }) => textContent.includes('Example Networks'));
    expect(found).toBeDefined();
    return found!;
  });
  fireEvent.click(hit);
  expect(router.place().path).toBe('/desk/accounts/EXAMPLE-AU');
});

it('every refusal is shown above the page until it is dismissed', async () => {
  const { errors } = open('/desk/approvals');
  act(() => errors.show([{ code: 'STALE', message: 'It was changed meanwhile', traceId: 'f00d' }]));
  expect(screen.getByRole('alert').textContent).toContain('It was changed meanwhile');
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

it('a session that is over says so, and who is at the desk can be seen', () => {
  open('/desk/approvals', { expired: true });
  expect(screen.getByText(/Your login session expired/)).toBeTruthy();
  expect(screen.getByRole('button', { name: /Stella/ })).toBeTruthy();
});
