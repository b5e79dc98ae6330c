import { anAccount, aRouter, aSession, show } from '@portal/app-kit/testing';
import type { Aspa } from '@portal/contract/rpki/aspas';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { AspaForm } from './AspaForm.tsx';

const aspa: Aspa = {
  aspaId: '1',
  customer: 64500,
  providers: [64501],
  comment: '',
  version: 1,
  state: 'published',
  uri: null,
  expiresAt: null,
  changedAt: '2026-11-01T10:00:00.000Z',
};

it('says what the list has become where someone else saved it meanwhile', async () => {
  show(<AspaForm aspa={aspa} asNumbers={['AS64500']} onClose={() => {}} onRemove={() => {}} />, {
    router: aRouter('/resources/rpki/index?aspa=AS64500'),
    session: aSession({ account: anAccount({ permissions: ['roas-update', 'rescert-view'] as never }) }),
    answer: ({ endpoint }) =>
      endpoint === 'rpki.aspas.checkAspa'
        ? { status: 200, data: { problems: [], version: 1, added: [], removed: [], kept: [64501] } }
        : {
            status: 412,
            errors: [{ code: 'STALE', message: 'Changed meanwhile', traceId: '0' }],
            current: { ...aspa, providers: [64501, 64502], comment: 'Both', version: 2 },
          },
  });
  await userEvent.click(screen.getByRole('button', { name: 'Review' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Publish providers' }));
  expect(await screen.findByText('Someone else changed these providers.')).toBeTruthy();
  expect(screen.getByText('AS64501, AS64502').closest('div')!.textContent).toContain('with the comment “Both”');
});
