import { PageFrame } from '@portal/app-kit';
import { permissionKeys } from '@portal/contract';
import type { Organisation } from '@portal/contract/organisations/organisations';
import { pages } from '@portal/contract/pages';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { anAccount, type Answer, aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import OrganisationPage from './OrganisationPage.tsx';

const organisation = (given: Partial<Organisation> = {}): Organisation => ({
  accountName: 'EXAMPLE-AU',
  version: 3,
  orgName: 'Example Networks Pty Ltd',
  registrationNumber: 'ABN 19',
  organisationType: 'company',
  economy: 'AU',
  postalAddress: ['Level 3', '10 Example Street'],
  city: 'Brisbane',
  region: '',
  postcode: '4101',
  phone: '+61 7 5550 0100',
  fax: '',
  website: 'https://www.example.net',
  abuseEmail: '',
  billingAddress: [],
  billingEmail: '',
  poNumber: '',
  delegations: 6,
  changes: [],
  closure: null,
  ...given,
});
const change: Organisation['changes'][number] = {
  changeId: '12',
  reference: 'ORG-12',
  accountName: 'EXAMPLE-AU',
  field: 'orgName',
  presentValue: 'Example Networks Pty Ltd',
  wantedValue: 'Example Group',
  reason: '',
  papers: [],
  state: 'needs-info',
  requestedBy: 'Corin Achterberg',
  requestedAt: '2026-11-20T09:00:00Z',
  question: 'Which register?',
  answer: null,
  resolvedBy: null,
  resolvedAt: null,
  note: null,
};
const corporate = anAccount({ contactTypes: ['corporate'], permissions: [...permissionKeys] });

function open({
  given = {},
  account = corporate,
  at = '/member-account-settings/organization-details',
  saving,
}: {
  given?: Partial<Organisation>;
  account?: typeof corporate;
  at?: string;
  saving?: Answer & { current?: unknown };
} = {}) {
  const router = aRouter(at);
  const shown = show(
    <PageFrame page={pages.organizationDetails}>
      <OrganisationPage />
    </PageFrame>,
    {
      router,
      session: aSession({ account, person: aPerson({ staff: account.asStaff, mfa: true }) }),
      answer({ endpoint }) {
        if (endpoint === 'organisations.getOrganisation') return { status: 200, data: organisation(given) };
        if (endpoint === 'organisations.changes.listOrganisationChanges') return { status: 200, data: { rows: [], total: 0 } };
        return saving ?? { status: 200, data: organisation(given) };
      },
    },
  );
  const sent = (endpoint: string) => shown.sent.filter(each => each.endpoint === endpoint).map(({ input }) => input);
  return { ...shown, router, sent };
}

beforeEach(() => localStorage.clear());

it('one part is edited at a time, at its own address, and sends only changed values', async () => {
  const { router, sent } = open();
  fireEvent.click(await screen.findByLabelText('Change postal address'));
  expect(router.place().search).toBe('?edit=address');
  fireEvent.change(screen.getByLabelText(/City/), { target: { value: 'Cairns' } });
  fireEvent.click(screen.getByText('Save'));
  await waitFor(() =>
    expect(sent('organisations.updateOrganisation')).toEqual([{ account: 'EXAMPLE-AU', body: { version: 3, city: 'Cairns' } }]),
  );
  await waitFor(() => expect(router.place().search).toBe(''));
});

it('an invalid value is reported at its field, and nothing is sent', async () => {
  const { sent } = open({ at: '/member-account-settings/organization-details?edit=reach' });
  fireEvent.change(await screen.findByLabelText(/Website/), { target: { value: 'javascript:alert(1)' } });
  fireEvent.click(screen.getByText('Save'));
  expect(screen.getByText(/starts with https/)).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText(/Website/));
  expect(sent('organisations.updateOrganisation')).toEqual([]);
});

it('after a concurrent change the other one is shown, and one’s own is applied on top', async () => {
  const errors = [{ code: 'STALE', message: 'The organisation was changed', traceId: 't' }];
  const current = organisation({ version: 4, postcode: '2000' });
  open({ at: '/member-account-settings/organization-details?edit=address', saving: { status: 412, errors, current } });
  fireEvent.change(await screen.findByLabelText(/City/), { target: { value: 'Cairns' } });
  fireEvent.click(screen.getByText('Save'));
  expect(await screen.findByText('Someone else changed the organisation while you were editing.')).toBeTruthy();
  expect(screen.getByText('2000')).toBeTruthy();
  fireEvent.click(screen.getByText('Apply my changes'));
  expect((screen.getByLabelText(/Postcode/) as HTMLInputElement).value).toBe('2000');
  expect((screen.getByLabelText(/City/) as HTMLInputElement).value).toBe('Cairns');
});

it('an undecided change appears beside the current value, with the registry’s question', async () => {
  const { sent } = open({ given: { changes: [change] } });
  expect(await screen.findByText('Example Group')).toBeTruthy();
  expect(screen.getByText('Which register?')).toBeTruthy();
  expect(screen.queryByLabelText('Request a change: legal name')).toBeNull();
  fireEvent.change(screen.getByLabelText(/Your answer/), { target: { value: 'The companies register' } });
  fireEvent.click(screen.getByText('Answer'));
  await waitFor(() => expect(sent('organisations.changes.answerOrganisationChange')).toHaveLength(1));
});

it('closing takes a reason, a day, a plan for the resources, and the name of the account', async () => {
  const { sent } = open({ at: '/member-account-settings/organization-details?act=close' });
  const dialog = within(await screen.findByRole('alertdialog'));
  fireEvent.click(dialog.getByText('Ask the registry'));
  for (const problem of ['Enter a reason', 'Choose a date', 'Choose what to do with the number resources', 'Write EXAMPLE-AU'])
    expect(dialog.getByRole('link', { name: problem })).toBeTruthy();
  expect(document.activeElement).toBe(dialog.getByLabelText('Reason'));
  expect(sent('organisations.closures.requestAccountClosure')).toEqual([]);
});

it('a contact without the permission has no controls, and the legal name is for corporate contacts', async () => {
  open({ account: anAccount({ permissions: ['contacts-details-view', 'member-details-update'] }) });
  expect((await screen.findByLabelText('Request a change: legal name')).getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByLabelText('Request a change: registration number').getAttribute('aria-disabled')).toBeNull();
  expect(screen.getAllByText('Sorry, you must be a corporate contact').length).toBeGreaterThan(0);
});

it('visiting staff can’t change anything', async () => {
  open({ account: anAccount({ asStaff: true, contactTypes: [], permissions: ['contacts-details-view'] }) });
  expect((await screen.findByLabelText('Change postal address')).getAttribute('aria-disabled')).toBe('true');
  expect(screen.queryByLabelText('Change the economy')).toBeNull();
  expect(screen.queryByText('Ask to close the account')).toBeNull();
});
