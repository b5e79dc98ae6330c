import { PageFrame } from '@portal/app-kit';
import { type CustomerAssignment, whoisCustomers } from '@portal/contract/customers/customers';
import { pages } from '@portal/contract/pages';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { anAccount, type Answer, aRouter, aSession, show } from '@portal/app-kit/testing';
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
  whois: { class: 'inetnum', key: '192.0.2.64 - 192.0.2.127', text: 'inetnum: 192.0.2.64 - 192.0.2.127\n' },
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
      return doing;
    },
  });
  const type = (label: RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
  const sent = (endpoint: string) => shown.asked.filter(each => each.endpoint === endpoint).map(({ input }) => input);
  return { ...shown, router, notices, type, press, sent };
}
const newOne = (customer: string | null = null) => <AssignmentForm within={null} range={null} customer={customer} />;

it('needs a range and a netname, and takes a free prefix that is pressed', async () => {
  const { type, press, sent, notices, router } = open(newOne());
  fireEvent.click(await screen.findByRole('button', { name: 'Register it' }));
  expect(screen.getByText('Choose or write a range')).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: '192.0.2.64/26' }));
  expect((screen.getByLabelText('Range') as HTMLInputElement).value).toBe('192.0.2.64/26');
  expect(screen.getByRole('button', { name: '192.0.2.64/26' }).getAttribute('aria-pressed')).toBe('true');
  expect(screen.getByText('Write a netname')).toBeTruthy();
  type(/Netname/, 'CUST-NORTHWIND');
  expect(sent(whoisCustomers.addAssignment.id)).toEqual([]);
  press('Register it');
  await waitFor(() => expect(notices).toEqual(['192.0.2.64/26 is registered and in whois.']));
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
  expect(router.went.at(-1)?.href).toBe('/resources/customers/customer_management?q=192.0.2.64%2F26');
});

it('a customer that is known brings its name, economy and visibility', async () => {
  open(newOne('Northwind'));
  expect((await screen.findByLabelText<HTMLInputElement>(/^Customer/)).value).toBe('Northwind');
  expect(screen.getByLabelText<HTMLInputElement>(/^Economy/).value).toBe('NZ');
  expect(screen.getByLabelText(/^Admin contact/)).toBeTruthy();
});

it('contacts are asked for in whois only, and sent only where they are written', async () => {
  const { type, press, sent } = open(newOne());
  type(/^Range/, '192.0.2.0/26');
  type(/Netname/, 'CUST-A');
  expect(screen.queryByLabelText(/^Admin contact/)).toBeNull();
  fireEvent.click(screen.getByLabelText('Public, in whois'));
  type(/^Admin contact/, 'EN1-AP');
  press('Register it');
  await waitFor(() => expect(sent(whoisCustomers.addAssignment.id)).toHaveLength(1));
  const [{ body }] = sent(whoisCustomers.addAssignment.id) as [{ body: object }];
  expect(body).toMatchObject({ visibility: 'public', adminC: 'EN1-AP' });
  expect(body).not.toHaveProperty('techC');
});

it('space that rests is used again only when that is meant', async () => {
  const errors = [{ code: 'ASSIGNMENT_RESTS', message: '192.0.2.0/26 rests until 1 December', traceId: 'f00d' }];
  const { type, press, sent } = open(newOne(), { doing: { status: 409, errors } });
  type(/^Range/, '192.0.2.0/26');
  type(/Netname/, 'CUST-A');
  expect(screen.queryByLabelText('Use it again at once')).toBeNull();
  press('Register it');
  fireEvent.click(await screen.findByLabelText('Use it again at once'));
  press('Register it');
  await waitFor(() => expect(sent(whoisCustomers.addAssignment.id)).toHaveLength(2));
  expect(sent(whoisCustomers.addAssignment.id)).toMatchObject([{ body: { reuse: false } }, { body: { reuse: true } }]);
});

it('an assignment is taken back after its effect was shown', async () => {
  const { press, sent, notices } = open(<EditAssignment assignmentId="9" />, { doing: { status: 204 } });
  await screen.findByDisplayValue('CUST-NORTHWIND');
  press('Take it back');
  const dialog = await screen.findByRole('alertdialog', { name: 'Take 192.0.2.64/26 back?' });
  expect(within(dialog).getByText(/its whois object is deleted/)).toBeTruthy();
  expect(sent(whoisCustomers.returnAssignment.id)).toEqual([]);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Take it back' }));
  await waitFor(() => expect(notices).toEqual(['192.0.2.64/26 is free again.']));
});

it('an assignment with others inside cannot be removed', async () => {
  const { press } = open(<EditAssignment assignmentId="9" />, { stored: { ...assignment, holds: 2 } });
  await screen.findByDisplayValue('CUST-NORTHWIND');
  press('Take it back');
  expect(screen.getByText('It holds 2 others; take back what lies in it first')).toBeTruthy();
  expect(screen.queryByRole('alertdialog')).toBeNull();
});
