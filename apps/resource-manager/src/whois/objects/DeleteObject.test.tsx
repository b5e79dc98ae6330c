import type { WhoisObject } from '@portal/contract/whois/whois';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aRouter, show } from '@portal/app-kit/testing';
import { DeleteObject } from './DeleteObject.tsx';

const stored: WhoisObject = {
  class: 'mntner',
  key: 'maint-au-pair',
  shown: 'MAINT-AU-PAIR',
  text: 'mntner: MAINT-AU-PAIR\n',
  version: 3,
  createdAt: '2026-01-01T00:00:00Z',
  changedAt: '2026-01-01T00:00:00Z',
  keptFor: null,
  mayEdit: true,
  mayDelete: true,
  mayReclaim: false,
  why: null,
  changeable: null,
  references: 2,
};
const rows = [
  { class: 'person', key: 'ap1-ex', shown: 'AP1-EX', attributes: ['mnt-by'] },
  { class: 'route', key: '198.18.1.0/24as64500', shown: '198.18.1.0/24AS64500', attributes: ['mnt-by'] },
];
const outcome = (state: string, message = '') => ({
  state,
  done: state === 'ok' ? 'delete' : null,
  class: 'mntner',
  key: '',
  shown: 'X',
  beforeVersion: 1,
  afterVersion: null,
  before: '',
  after: null,
  problems:
    message === ''
      ? []
      : [{ severity: 'error', code: 'referenced', attribute: null, line: null, message, maintainers: [], objects: [], count: 1 }],
});

test('objects that reference each other are deleted together, if nothing else references them', async () => {
  let preview = [outcome('failed', 'One object refers to AP1-EX'), outcome('skipped'), outcome('skipped')];
  const router = aRouter();
  const { sent } = show(<DeleteObject stored={stored} onClose={() => undefined} />, {
    router,
    answer: ({ endpoint }) =>
      endpoint === 'whois.listReferences'
        ? { status: 200, data: { rows, total: 2 } }
        : { status: 200, data: { outcomes: endpoint === 'whois.previewUpdates' ? preview : [1, 2, 3].map(() => outcome('ok')) } },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Try to delete them together' }));
  expect(await screen.findByText('One object refers to AP1-EX')).toBeTruthy();
  preview = [1, 2, 3].map(() => outcome('ok'));
  fireEvent.click(screen.getByRole('button', { name: 'Try to delete them together' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Delete 3 objects' }));
  await waitFor(() => expect(router.went).toHaveLength(1));
  expect(sent.find(({ endpoint }) => endpoint === 'whois.submitUpdates')?.input).toMatchObject({
    body: {
      mode: 'atomic',
      updates: [
        { operation: 'delete', text: stored.text, expectedVersion: 3, of: { class: 'mntner', key: 'maint-au-pair' } },
        { operation: 'delete', text: 'person: AP1-EX\nnic-hdl: AP1-EX\n' },
        { operation: 'delete', text: 'route: 198.18.1.0/24\norigin: AS64500\n' },
      ],
    },
  });
});
