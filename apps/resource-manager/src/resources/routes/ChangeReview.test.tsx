import { aRouter, aSession, anAccount, problemAt, show } from '@portal/app-kit/testing';
import { type RouteChangeDetails, type RouteCheck, routes } from '@portal/contract/routes/routes';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ChangeReview, noChanges } from './ChangeReview.tsx';

const add = [{ prefix: '198.18.8.0/24', asn: 'AS65536', roa: true }] as never;
const check = (effect: Partial<RouteCheck['effect']> = {}): RouteCheck => ({
  version: '4-2',
  problems: [],
  planned: [{ action: 'add', prefix: '198.18.8.0/24', asn: 65536, maxLength: 24, roa: 'add', objects: [], waitsFor: [], warnings: [] }],
  counts: { routes: 1, added: 1, changed: 0, removed: 0, unchanged: 0, roasAdded: 1, roasRemoved: 0, objectsWritten: 0, objectsWaiting: 0 },
  effect: {
    collectedAt: '2026-11-22T08:00:00.000Z',
    announcements: [{ prefix: '198.18.8.0/24', asn: 65536, peers: 41, before: 'invalid-asn', after: 'valid' }],
    total: 1,
    changed: 1,
    becomeInvalid: 0,
    loseRoa: 0,
    toConfirm: 0,
    becomeValid: 1,
    before: { valid: 4, invalid: 2, notFound: 1 },
    after: { valid: 5, invalid: 1, notFound: 1 },
    ...effect,
  },
});

function open(checked: RouteCheck, saving: { status: number; [more: string]: unknown } = { status: 200, data: {} }) {
  const shown = show(<ChangeReview changes={{ ...noChanges, add }} onSaved={() => undefined} onCancel={() => undefined} />, {
    router: aRouter('/resources/routes/index'),
    session: aSession({ account: anAccount({ permissions: ['rescert-view', 'roas-update'] as never }) }),
    answer: ({ endpoint }) => (endpoint === routes.saveRoutes.id ? saving : { status: 200, data: checked }) as never,
  });
  return { sent: () => shown.sent.filter(({ endpoint }) => endpoint === routes.saveRoutes.id).map(({ input }) => input) };
}

it('the effect is drawn before and after, and the saved change has the version on which it was checked', async () => {
  const { sent } = open(check());
  expect(await screen.findByText('4 → 5')).toBeTruthy();
  expect(screen.getByText('2 → 1')).toBeTruthy();
  expect(screen.getByRole('list', { name: 'Effect on announcements' }).textContent).toMatch(/Invalid AS.*→.*Valid/);
  expect(sent()).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Save 1 route' }));
  await waitFor(() => expect(sent()).toMatchObject([{ body: { version: '4-2', add } }]));
});

it('deletions of routes and route objects are named as such', async () => {
  const objects = [
    { shown: '198.18.8.0/24AS65536', done: 'delete' as const },
    { shown: '198.18.9.0/24AS65536', done: 'create' as const },
  ];
  const checked = check();
  const planned = checked.planned.map(each => ({ ...each, action: 'remove' as const, roa: 'remove' as const, objects }));
  open({ ...checked, planned, counts: { ...checked.counts, added: 0, removed: 1, roasAdded: 0, roasRemoved: 1, objectsWritten: 2 } });
  expect(await screen.findByRole('button', { name: 'Delete 1 route' })).toBeTruthy();
  expect(screen.getByText('1 route deleted, 1 ROA removed, 1 route object created, 1 route object deleted.')).toBeTruthy();
});

it('a change that makes announcements invalid is saved only after their number is typed', async () => {
  const { sent } = open(check({ becomeInvalid: 3, toConfirm: 3 }));
  const save = await screen.findByRole('button', { name: 'Save 1 route' });
  expect(screen.getByText(/3 announcements would become invalid/)).toBeTruthy();
  fireEvent.click(save);
  expect(problemAt('Type 3 to confirm')).toBe('Type 3 to confirm');
  fireEvent.change(screen.getByLabelText('Type 3 to confirm'), { target: { value: '2' } });
  fireEvent.click(save);
  expect(problemAt('Type 3 to confirm')).toBe('Type 3 to confirm');
  expect(sent()).toEqual([]);
  fireEvent.change(screen.getByLabelText('Type 3 to confirm'), { target: { value: '3' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save 1 route' }));
  await waitFor(() => expect(sent()).toMatchObject([{ body: { invalidating: 3 } }]));
});

it('an outdated page shows who changed what in the meantime, and checks again', async () => {
  const facts = { prefix: '198.18.16.0/21', asn: 64500 } as RouteChangeDetails['items'][number]['after'];
  const changes = [
    {
      changeId: '9',
      madeBy: 'Tess',
      madeAt: '2026-11-22T09:00:00.000Z',
      summary: 'Added 1 route',
      items: [{ action: 'add', before: null, after: facts, results: [] }],
    },
  ];
  open(check(), {
    status: 412,
    errors: [{ code: 'STALE', message: 'The routes changed meanwhile.' }],
    current: { version: '5-3', changes },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Save 1 route' }));
  expect(await screen.findByText('The routes were changed meanwhile.')).toBeTruthy();
  expect(screen.getByText(/198\.18\.16\.0\/21 AS64500/)).toBeTruthy();
  expect(screen.getByText(/Tess/).textContent).toContain('Added 1 route');
  fireEvent.click(screen.getByRole('button', { name: 'Check again' }));
  await waitFor(() => expect(screen.queryByText('The routes were changed meanwhile.')).toBeNull());
});
