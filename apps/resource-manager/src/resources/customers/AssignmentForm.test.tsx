import { PageFrame } from '@portal/app-kit';
import { type AssignmentPreview, type CustomerAssignment, whoisCustomers } from '@portal/contract/customers/customers';
import { pages } from '@portal/contract/pages';
import { whoisPublication } from '@portal/contract/publication/publication';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { anAccount, type Answer, aRouter, aSession, problemAt, show } from '@portal/app-kit/testing';
import { AssignmentForm, EditAssignment } from './AssignmentForm.tsx';

const assignment: CustomerAssignment = {
  assignmentId: '9',
  resource: '192.0.2.64/26',
  kind: 'ipv4',
  type: 'assigned',
  netname: 'CUST-NORTHWIND',
  customer: 'Northwind',
  description: '',
  visibility: 'public',
  economy: 'AU',
  registeredOn: '2026-11-01',
  updatedAt: '2026-11-01T00:00:00Z',
  holds: 0,
  whois: { class: 'inetnum', key: '192.0.2.64 - 192.0.2.127', version: 1, text: 'inetnum: 192.0.2.64 - 192.0.2.127\n' },
};
const preview: AssignmentPreview = {
  resource: '192.0.2.64/26',
  size: '64',
  type: 'assigned',
  netname: 'CUST-NORTHWIND',
  delegation: '192.0.2.0/24',
  around: null,
  whois: { class: 'inetnum', shown: '192.0.2.64 - 192.0.2.127', before: null, after: 'inetnum: 192.0.2.64 - 192.0.2.127\n' },
};
const free = { rows: [{ resource: '192.0.2.0/26' }, { resource: '192.0.2.64/26' }], resting: [] };

function open(
  children: ReactNode,
  { doing = { status: 200, data: assignment }, stored = assignment }: { doing?: Answer; stored?: CustomerAssignment } = {},
) {
  const router = aRouter('/resources/customers/customer_management');
  const notices: string[] = [];
  const shown = show(<PageFrame page={pages.customerManagement}>{children}</PageFrame>, {
    router,
    session: aSession({ account: anAccount({ permissions: ['whois-private-objects-view', 'whois-private-objects-update'] }) }),
    kit: { notify: ({ text }) => notices.push(text) },
    answer({ endpoint }) {
      if (endpoint === whoisCustomers.listFreeSpace.id) return { status: 200, data: free };
      if (endpoint === whoisCustomers.getAssignment.id) return { status: 200, data: stored };
      if (endpoint === whoisCustomers.getCustomer.id)
        return { status: 200, data: { name: 'Northwind', economy: 'NZ', visibility: 'public', assignments: [] } };
      if (endpoint === whoisCustomers.previewAssignment.id && doing.status === 200) return { status: 200, data: preview };
      if (endpoint === whoisPublication.getPublication.id) return { status: 200, data: { places: [] } };
      return doing;
    },
  });
  const type = (label: RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
  const sent = (endpoint: string) => shown.sent.filter(each => each.endpoint === endpoint).map(({ input }) => input);
  return { ...shown, router, notices, type, press, sent };
}
const newOne = (customer: string | null = null) => <AssignmentForm within={null} range={null} customer={customer} />;

it('needs a range and a netname, is previewed first, and then saved exactly as previewed', async () => {
  const { type, press, sent } = open(newOne());
  fireEvent.click(await screen.findByRole('button', { name: 'Review' }));
  expect(problemAt('Range')).toBe('Choose or enter a range');
  expect(problemAt(/Netname/)).toMatch(/^Enter a netname/);
  fireEvent.click(await screen.findByRole('button', { name: '192.0.2.64/26' }));
  expect((screen.getByLabelText('Range') as HTMLInputElement).value).toBe('192.0.2.64/26');
  expect(screen.getByRole('button', { name: '192.0.2.64/26' }).getAttribute('aria-pressed')).toBe('true');
  expect(problemAt('Range')).toBeUndefined();
  expect(problemAt(/Netname/)).toMatch(/^Enter a netname/);
  type(/Netname/, 'CUST-NORTHWIND');
  // Enter in a field does what the button does.
  fireEvent.submit(screen.getByRole('form', { name: 'New assignment' }));
  const review = await screen.findByRole('complementary');
  expect(await within(review).findByText('inetnum: 192.0.2.64 - 192.0.2.127')).toBeTruthy();
  expect(sent(whoisCustomers.addAssignment.id)).toEqual([]);
  // With another netname it has to be previewed again.
  type(/Netname/, 'CUST-OTHER');
  expect(screen.queryByRole('button', { name: 'Register 192.0.2.64/26' })).toBeNull();
  type(/Netname/, 'CUST-NORTHWIND');
  press('Register 192.0.2.64/26');
  expect(await screen.findByText('CUST-NORTHWIND is registered')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Show 192.0.2.64/26' })).toBeTruthy();
  expect(sent(whoisCustomers.addAssignment.id)).toEqual([
    {
      account: 'EXAMPLE-AU',
      body: {
        netname: 'CUST-NORTHWIND',
        customer: '',
        description: '',
        economy: '',
        visibility: 'private',
        resource: '192.0.2.64/26',
        type: 'assigned',
        reuse: false,
      },
    },
  ]);
});

it('a known customer fills in name, economy and visibility', async () => {
  open(newOne('Northwind'));
  expect((await screen.findByLabelText<HTMLInputElement>(/^Customer/)).value).toBe('Northwind');
  expect(screen.getByLabelText<HTMLInputElement>(/^Economy/).value).toBe('NZ');
  expect(screen.getByLabelText(/^Admin contact/)).toBeTruthy();
});

it('contact fields appear for whois only, and are sent only if filled in', async () => {
  const { type, press, sent } = open(newOne());
  type(/^Range/, '192.0.2.0/26');
  type(/Netname/, 'CUST-A');
  expect(screen.queryByLabelText(/^Admin contact/)).toBeNull();
  fireEvent.click(screen.getByLabelText('Public, in whois'));
  type(/^Admin contact/, 'EN1-AP');
  press('Review');
  await waitFor(() => expect(sent(whoisCustomers.previewAssignment.id)).toHaveLength(1));
  const [{ body }] = sent(whoisCustomers.previewAssignment.id) as [{ body: object }];
  expect(body).toMatchObject({ visibility: 'public', adminC: 'EN1-AP' });
  expect(body).not.toHaveProperty('techC');
});

it('recently returned space is used only if explicitly chosen', async () => {
  const errors = [{ code: 'ASSIGNMENT_RESTS', message: '192.0.2.0/26 rests until 1 December', traceId: 'f00d' }];
  const { type, press, sent } = open(newOne(), { doing: { status: 409, errors } });
  type(/^Range/, '192.0.2.0/26');
  type(/Netname/, 'CUST-A');
  expect(screen.queryByLabelText('Use it again now')).toBeNull();
  press('Review');
  fireEvent.click(await screen.findByLabelText('Use it again now'));
  press('Review');
  await waitFor(() => expect(sent(whoisCustomers.previewAssignment.id)).toHaveLength(2));
  expect(sent(whoisCustomers.previewAssignment.id)).toMatchObject([{ body: { reuse: false } }, { body: { reuse: true } }]);
});

it('an assignment is removed after its effect was shown', async () => {
  const { press, sent, notices } = open(<EditAssignment assignmentId="9" />, { doing: { status: 204 } });
  await screen.findByDisplayValue('CUST-NORTHWIND');
  press('Return to pool');
  const dialog = await screen.findByRole('alertdialog', { name: 'Return 192.0.2.64/26 to your pool?' });
  expect(within(dialog).getByText(/its whois object is deleted/)).toBeTruthy();
  expect(sent(whoisCustomers.returnAssignment.id)).toEqual([]);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Return to pool' }));
  await waitFor(() => expect(notices).toEqual(['192.0.2.64/26 is free again.']));
});

it('an assignment with others inside cannot be removed', async () => {
  const { press } = open(<EditAssignment assignmentId="9" />, { stored: { ...assignment, holds: 2 } });
  await screen.findByDisplayValue('CUST-NORTHWIND');
  press('Return to pool');
  expect(screen.getByText('It contains 2 others. Return those first.')).toBeTruthy();
  expect(screen.queryByRole('alertdialog')).toBeNull();
});
