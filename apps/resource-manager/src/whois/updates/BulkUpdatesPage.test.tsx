import { PageFrame } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { whois } from '@portal/contract/whois/whois';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { anAccount, type Answer, aRouter, aSession, problemAt, show } from '@portal/app-kit/testing';
import BulkUpdatesPage from './BulkUpdatesPage.tsx';

beforeEach(() => localStorage.clear());

function open(search = '', doing: Answer = { status: 200, data: { objects: 0, matched: 0, refused: 0, outcomes: [], taskId: null } }) {
  const shown = show(
    <PageFrame page={pages.bulkWhoisUpdates}>
      <BulkUpdatesPage />
    </PageFrame>,
    {
      session: aSession({ account: anAccount({ permissions: ['whois-principal-mntner-access'] }) }),
      router: aRouter(`/resources/bulk-whois-updates${search}`),
      answer: ({ endpoint }) => (endpoint === whois.bulkChange.id ? doing : { status: 200, data: { rows: [] } }),
    },
  );
  const type = (label: RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
  const sent = () => shown.sent.filter(({ endpoint }) => endpoint === whois.bulkChange.id).map(({ input }) => input);
  const dryRun = () => fireEvent.click(screen.getByRole('button', { name: 'Dry run' }));
  return { ...shown, type, sent, dryRun };
}

it('a line of the list that names no object is reported, and no dry run starts', async () => {
  const { type, sent, dryRun } = open();
  await screen.findByText('Which objects');
  type(/From a list/, 'route 192.0.2.0/24AS64500\nnonsense\n');
  fireEvent.blur(screen.getByLabelText(/From a list/));
  expect(problemAt(/From a list/)).toMatch(/^Line 2: /);
  dryRun();
  expect(problemAt(/From a list/)).toMatch(/^Line 2: enter type and key/);
  expect(sent()).toEqual([]);
});

it('a selecting attribute needs a value, and each change its values', async () => {
  const { type, dryRun, sent } = open();
  await screen.findByText('Which objects');
  type(/With attribute/, 'mnt-by');
  dryRun();
  expect(problemAt(/With the value/)).toBe('Enter which mnt-by they have');
  expect(problemAt(/Old value/)).toBe('Enter the tech-c to replace');
  expect(problemAt(/New value/)).toBe('Enter the new tech-c');
  type(/With the value/, 'MAINT-AU-EXAMPLE');
  type(/Old value/, 'OLD1-AP');
  expect(problemAt(/With the value/)).toBeUndefined();
  expect(problemAt(/Old value/)).toBeUndefined();
  dryRun();
  expect(sent()).toEqual([]);
});

it('a change is sent with the objects of the list and trimmed values; removal needs no value', async () => {
  const { type, dryRun, sent } = open('?objects=route%20192.0.2.0/24AS64500');
  await screen.findByText('1 listed');
  type(/Change 1/, 'remove');
  type(/Attribute/, 'notify');
  fireEvent.click(screen.getByRole('button', { name: 'Add change' }));
  fireEvent.change(screen.getByLabelText(/^Change 2$/), { target: { value: 'add' } });
  type(/New value/, ' NEW1-AP ');
  dryRun();
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]).toMatchObject({
    account: 'EXAMPLE-AU',
    body: {
      choose: { keys: [{ class: 'route', key: '192.0.2.0/24AS64500' }] },
      actions: [
        { action: 'remove', attribute: 'notify' },
        { action: 'add', attribute: 'tech-c', newValue: 'NEW1-AP' },
      ],
      dryRun: true,
    },
  });
  expect(await screen.findByText('No objects match.')).toBeTruthy();
});

it('ten changes at most, and one of several can be left out', async () => {
  open();
  await screen.findByText('Which objects');
  const another = () => screen.getByRole('button', { name: 'Add change' });
  expect(screen.queryByRole('button', { name: 'Remove change 1' })).toBeNull();
  for (let count = 1; count < 10; count += 1) fireEvent.click(another());
  expect(screen.getByLabelText('Change 10')).toBeTruthy();
  expect(another().getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(screen.getByRole('button', { name: 'Remove change 10' }));
  expect(screen.queryByLabelText('Change 10')).toBeNull();
});

it('a refusal appears above the button, one about a value at its field, and the input stays', async () => {
  const errors = [
    { code: 'ACCOUNT_RESTRICTED_IRT', message: 'The mailbox has to be validated first', traceId: 'f00d' },
    { code: 'INVALID_REQUEST', field: 'actions.0.newValue', message: 'NEW1-AP is not known', traceId: 'f00d' },
  ];
  const { type, dryRun } = open('?objects=route%20192.0.2.0/24AS64500', { status: 403, errors });
  await screen.findByText('1 listed');
  type(/Old value/, 'OLD1-AP');
  type(/New value/, 'NEW1-AP');
  dryRun();
  expect(await screen.findByText('The mailbox has to be validated first')).toBeTruthy();
  expect(problemAt(/New value/)).toBe('NEW1-AP is not known');
  expect((screen.getByLabelText(/Old value/) as HTMLInputElement).value).toBe('OLD1-AP');
});
