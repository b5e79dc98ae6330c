import { PageFrame } from '@portal/app-kit';
import { aRouter, aSession, anAccount, show } from '@portal/app-kit/testing';
import { pages } from '@portal/contract/pages';
import { type RouteCheck, routes } from '@portal/contract/routes/routes';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { NewRouteForm } from './RouteForm.tsx';

const problem = '198.18.0.1/19 has host bits set; did you mean 198.18.0.0/19?';
const none = { valid: 0, invalid: 0, notFound: 0 };
const check = {
  version: '4-2',
  problems: [{ list: 'add', index: 0, field: 'prefix', route: '198.18.0.1/19 AS64500', problem }],
  planned: [],
  counts: { routes: 0, added: 0, changed: 0, removed: 0, unchanged: 0, roasAdded: 0, roasRemoved: 0, objectsWritten: 0, objectsWaiting: 0 },
  effect: {
    collectedAt: null,
    announcements: [],
    total: 0,
    changed: 0,
    becomeInvalid: 0,
    loseRoa: 0,
    toConfirm: 0,
    becomeValid: 0,
    before: none,
    after: none,
  },
} as RouteCheck;

it('a problem of a new route is shown at its field until that is edited', async () => {
  show(
    <PageFrame page={pages.routes}>
      <NewRouteForm />
    </PageFrame>,
    {
      router: aRouter('/resources/routes/index?add=yes'),
      session: aSession({ account: anAccount({ permissions: ['rescert-view', 'roas-update'] as never }) }),
      answer: ({ endpoint }) =>
        endpoint === routes.checkRoutes.id
          ? { status: 200, data: check }
          : { status: 200, data: { rows: [], rpki: 'on', maintainers: [], version: '4-2' } as never },
    },
  );
  fireEvent.change(await screen.findByLabelText('Prefix'), { target: { value: '198.18.0.1/19' } });
  fireEvent.change(screen.getByLabelText('Origin AS'), { target: { value: 'AS64500' } });
  fireEvent.click(screen.getByRole('button', { name: 'Review' }));
  await waitFor(() => expect(screen.getByLabelText('Prefix').getAttribute('aria-invalid')).toBe('true'));
  expect(screen.getAllByText(problem)).toHaveLength(2);
  expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true');
  fireEvent.change(screen.getByLabelText('Prefix'), { target: { value: '198.18.0.0/19' } });
  expect(screen.getByLabelText('Prefix').getAttribute('aria-invalid')).not.toBe('true');
});
