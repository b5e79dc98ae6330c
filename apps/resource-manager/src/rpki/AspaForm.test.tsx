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

const noPaths = { collectedAt: null, upstreams: [], lacking: [], toConfirm: 0 };

it('shows the new list if someone else saved it in the meantime', async () => {
  show(<AspaForm aspa={aspa} asNumbers={['AS64500']} onClose={() => {}} onRemove={() => {}} />, {
    router: aRouter('/resources/rpki/index?aspa=AS64500'),
    session: aSession({ account: anAccount({ permissions: ['roas-update', 'rescert-view'] as never }) }),
    answer: ({ endpoint }) =>
      endpoint === 'rpki.aspas.checkAspa'
        ? { status: 200, data: { problems: [], version: 1, added: [], removed: [], kept: [64501], seen: noPaths } }
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

it('shows which upstreams were seen, adds the missing ones with one click, and otherwise requires the number of announcements', async () => {
  const collectedAt = '2026-11-24T18:11:00.000Z';
  const upstreams = (listed: boolean) => [
    { asn: 64501, announcements: 12, peers: 300, listed: true },
    { asn: 64510, announcements: 7, peers: 250, listed },
    { asn: 64511, announcements: 1, peers: 2, listed: false },
  ];
  const { sent } = show(<AspaForm aspa={null} asNumbers={['AS64500']} onClose={() => {}} onRemove={() => {}} />, {
    router: aRouter('/resources/rpki/index?aspa=new'),
    session: aSession({ account: anAccount({ permissions: ['roas-update', 'rescert-view'] as never }) }),
    answer: ({ endpoint, input }) => {
      if (endpoint !== 'rpki.aspas.checkAspa') return { status: 200, data: aspa };
      const providers = (input as { body: { providers: string[] } }).body.providers.map(text => Number(text.slice(2)));
      const has = providers.includes(64510);
      return {
        status: 200,
        data: {
          problems: [],
          version: 0,
          added: providers,
          removed: [],
          kept: [],
          seen: { collectedAt, upstreams: upstreams(has), lacking: has ? [] : [64510], toConfirm: has ? 0 : 7 },
        },
      };
    },
  });
  await userEvent.type(screen.getByLabelText(/Providers/), 'AS64501');
  await userEvent.click(screen.getByRole('button', { name: 'Review' }));
  expect(await screen.findByText('Announcements through AS64510 would become ASPA-invalid.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Publish providers' }));
  expect(sent.some(({ endpoint }) => endpoint === 'rpki.aspas.saveAspa')).toBe(false);
  await userEvent.click(screen.getByRole('button', { name: 'Add 1 to the providers' }));
  expect(await screen.findByText('AS64511 is not in the list.')).toBeTruthy();
  expect(screen.queryByLabelText(/to confirm/)).toBeNull();
  expect((screen.getByLabelText(/Providers/) as HTMLTextAreaElement).value).toBe('AS64501\nAS64510');
  await userEvent.clear(screen.getByLabelText(/Providers/));
  await userEvent.type(screen.getByLabelText(/Providers/), 'AS64501');
  await userEvent.click(screen.getByRole('button', { name: 'Review' }));
  await userEvent.type(await screen.findByLabelText(/Type 7 to confirm/), '7');
  await userEvent.click(screen.getByRole('button', { name: 'Publish providers' }));
  expect(sent.find(({ endpoint }) => endpoint === 'rpki.aspas.saveAspa')!.input).toMatchObject({
    body: { providers: ['AS64501'], invalidating: 7 },
  });
});

it('says that no paths are known if only origins were imported', async () => {
  show(<AspaForm aspa={aspa} asNumbers={['AS64500']} onClose={() => {}} onRemove={() => {}} />, {
    router: aRouter('/resources/rpki/index?aspa=AS64500'),
    session: aSession({ account: anAccount({ permissions: ['roas-update', 'rescert-view'] as never }) }),
    answer: () => ({ status: 200, data: { problems: [], version: 1, added: [], removed: [], kept: [64501], seen: noPaths } }),
  });
  await userEvent.click(screen.getByRole('button', { name: 'Review' }));
  expect(await screen.findByText(/No AS paths are known here/)).toBeTruthy();
});
