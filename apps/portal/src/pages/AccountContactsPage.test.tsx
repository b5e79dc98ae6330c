import { PageFrame } from '@portal/app-kit';
import { type Answer, type SentCall, anAccount, aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import { defaultPermissions, type Permission, permissionKeys } from '@portal/contract';
import type { PermissionFactors } from '@portal/contract/permission-factors';
import type { Contact } from '@portal/contract/contacts/contacts';
import { pages } from '@portal/contract/pages';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import AccountContactsPage from './AccountContactsPage.tsx';
import './contacts/contact/ContactEnd.tsx';

beforeEach(() => localStorage.clear());

const aContact = (fullName: string, given: Partial<Contact> = {}): Contact => ({
  contactId: fullName.toLowerCase().replace(' ', '-'),
  version: 1,
  fullName,
  email: `${fullName.split(' ')[0]!.toLowerCase()}@example-au.example`,
  phone: '',
  position: '',
  contactTypes: ['technical'],
  status: 'active',
  isMe: false,
  addedAt: '2026-01-05T02:00:00Z',
  confirmedAt: '2026-06-05T02:00:00Z',
  confirmationDue: false,
  invitation: null,
  registryRequest: null,
  permissions: defaultPermissions(given.contactTypes ?? ['technical']),
  maintainers: [],
  lastSignInAt: null,
  dormant: false,
  helperUntil: null,
  hasSecondFactor: true,
  ...given,
});
const corin = aContact('Corin Achterberg', { isMe: true, contactTypes: ['corporate'] });
const tess = aContact('Tess Lindqvist');
const bill = aContact('Bill Okonkwo', { contactTypes: ['billing'], hasSecondFactor: false, dormant: true });
const mina = aContact('Mina Park', {
  status: 'invited',
  invitation: { state: 'expired', sentAt: '2026-01-05T02:00:00Z', expiresAt: '2026-01-12T02:00:00Z', invitedBy: 'Corin' },
});

const session = (permissions: readonly Permission[], contactTypes: Contact['contactTypes'] = ['corporate']) =>
  aSession({ person: aPerson(), account: anAccount({ permissions: [...permissions], contactTypes }) });
const corporate = session(permissionKeys);
const technical = session(defaultPermissions(['technical']), ['technical']);

const withoutManagement = (who: typeof corporate) => ({ ...who, account: { ...who.account!, features: [] } });

function open(
  search = '',
  options: {
    rows?: Contact[];
    session?: ReturnType<typeof aSession>;
    flag?: boolean;
    answer?: (sent: SentCall) => Answer | undefined;
    secondFactorFor?: PermissionFactors;
  } = {},
) {
  const { rows = [corin, tess, bill, mina], flag = true, secondFactorFor = { always: [], someChanges: [] } } = options;
  const router = aRouter(`/member-account-settings/account-contacts${search}`);
  const notices: string[] = [];
  const view = show(
    <PageFrame page={pages.accountContacts}>
      <AccountContactsPage />
    </PageFrame>,
    {
      router,
      session: flag ? (options.session ?? corporate) : withoutManagement(options.session ?? corporate),
      kit: { notify: ({ text }) => notices.push(text) },
      answer: sent => {
        const given = options.answer?.(sent);
        if (given) return given;
        return { status: 200, data: { rows, total: rows.length, secondFactorFor } };
      },
    },
  );
  const changes = () => view.sent.filter(({ endpoint }) => !/\.(list|get)/.test(endpoint));
  return { ...view, router, notices, changes };
}
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));
const row = async (name: string) => (await screen.findByText(name)).closest('tr')!;

describe('the list', () => {
  it('marks oneself, dormant contacts, contacts without a second factor, and expired invitations', async () => {
    open();
    expect(within(await row('Corin Achterberg')).getByText('you')).toBeTruthy();
    expect(within(await row('Bill Okonkwo')).getByText('dormant')).toBeTruthy();
    expect(within(await row('Bill Okonkwo')).getByText('Off')).toBeTruthy();
    expect(within(await row('Mina Park')).getByText('invitation expired')).toBeTruthy();
  });

  it('filters, sorting and page are read from the address and sent to the server', async () => {
    const { sent } = open('?q=ines&type=billing&mark=dormant&status=invited&sort=email&direction=desc&page=2');
    await screen.findByText('Tess Lindqvist');
    expect(sent.map(({ input }) => input)).toContainEqual({
      account: 'EXAMPLE-AU',
      query: { q: 'ines', type: 'billing', status: 'invited', mark: 'dormant', sort: 'email', direction: 'desc', offset: 50, limit: 50 },
    });
  });

  it('an unknown filter value is ignored; an empty result offers to clear the filters', async () => {
    const { sent, router } = open('?type=admiral&q=x', { rows: [] });
    await press('Clear the filters');
    expect(router.place().search).toBe('');
    expect(JSON.stringify(sent)).not.toContain('admiral');
  });

  it('clicking a row opens the contact and changes the address', async () => {
    const { router } = open('?type=technical');
    fireEvent.click(await row('Tess Lindqvist'));
    expect(router.place().search).toBe('?type=technical&contact=tess-lindqvist');
    expect(await screen.findByRole('heading', { level: 1, name: /Tess Lindqvist/ })).toBeTruthy();
  });

  it('a due yearly confirmation is requested and can be given', async () => {
    const due = { ...corin, confirmationDue: true };
    const { changes } = open('', {
      rows: [due],
      answer: ({ endpoint }) => (endpoint === 'contacts.confirmOwnDetails' ? { status: 200, data: corin } : undefined),
    });
    await press('They’re correct');
    await waitFor(() => expect(changes()).toEqual([{ endpoint: 'contacts.confirmOwnDetails', input: { account: 'EXAMPLE-AU' } }]));
  });

  it('with contact management switched off nothing can be started, and the page says why', async () => {
    open('', { flag: false });
    expect(await screen.findByText(/switched off changes to contacts/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Invite a contact' })).toBeNull();
  });
});

describe('an invitation', () => {
  const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

  it('shows the error at the field, and sends nothing', async () => {
    const { changes } = open('?invite=yes');
    await screen.findByLabelText('Full name');
    type('Full name', 'Ravi Menon');
    type('E-mail', 'ravi@example.net');
    type('E-mail again', 'ravi@example.com');
    await press('Send the invitation');
    expect(screen.getAllByText('The two e-mail addresses don’t match')).toHaveLength(2);
    expect(screen.getAllByText('Choose at least one contact type')).toHaveLength(2);
    expect(screen.getByRole('alert', { name: 'There’s a problem' })).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('E-mail again'));
    expect(changes()).toEqual([]);
  });

  it('shows the permissions the person will have, and sends manual decisions', async () => {
    const { changes, router, notices } = open('?invite=yes', {
      answer: ({ endpoint }) =>
        endpoint === 'contacts.inviteContact' ? { status: 200, data: { ...mina, email: 'ravi@example.net' } } : undefined,
    });
    await screen.findByLabelText('Full name');
    type('Full name', 'Ravi Menon');
    type('E-mail', 'ravi@example.net');
    type('E-mail again', 'ravi@example.net');
    fireEvent.click(screen.getByRole('checkbox', { name: 'Billing' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'View number resources' }));
    expect(screen.getByText('granted by hand')).toBeTruthy();
    await press('Send the invitation');
    await waitFor(() => expect(notices).toEqual(['Invitation sent to ravi@example.net.']));
    const { body } = changes()[0]!.input as { body: { contactTypes: string[]; permissions: string[] } };
    expect(body.contactTypes).toEqual(['billing']);
    expect(body.permissions).toEqual(
      permissionKeys.filter(key => defaultPermissions(['billing']).includes(key) || key === 'resources-view'),
    );
    expect(router.place().search).toBe('');
  });

  it('a corporate contact needs the registry’s approval', async () => {
    open('?invite=yes');
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Corporate' }));
    expect(screen.getByRole('button', { name: 'Ask the registry' })).toBeTruthy();
    expect(screen.getByText(/The registry decides, because a corporate contact/)).toBeTruthy();
  });

  it('a contact who may only ask uses the same form', async () => {
    const { changes, notices } = open('?invite=yes', {
      session: technical,
      answer: ({ endpoint }) =>
        endpoint === 'contacts.accessRequests.requestContactChange'
          ? { status: 200, data: { requestId: '9', asked: ['Corin', 'Paula'] } }
          : undefined,
    });
    await screen.findByRole('heading', { level: 1, name: 'Ask for a contact' });
    type('Full name', 'Ravi Menon');
    type('E-mail', 'ravi@example.net');
    type('E-mail again', 'ravi@example.net');
    fireEvent.click(screen.getByRole('checkbox', { name: 'Technical' }));
    await press('Send request');
    await waitFor(() => expect(notices).toEqual(['Corin and Paula were asked by e-mail.']));
    expect(changes()[0]).toMatchObject({
      endpoint: 'contacts.accessRequests.requestContactChange',
      input: { body: { kind: 'add-contact', contactTypes: ['technical'] } },
    });
  });

  it('a refusal of the registry appears at its field', async () => {
    open('?invite=yes', {
      answer: ({ endpoint }) =>
        endpoint === 'contacts.inviteContact'
          ? { status: 409, errors: [{ code: 'ALREADY_CONTACT', message: 'tess@example.net is a contact already', traceId: 'f00d' }] }
          : undefined,
    });
    await screen.findByLabelText('Full name');
    type('Full name', 'Tess');
    type('E-mail', 'tess@example.net');
    type('E-mail again', 'tess@example.net');
    fireEvent.click(screen.getByRole('checkbox', { name: 'Technical' }));
    await press('Send the invitation');
    await waitFor(() => expect(screen.getByLabelText('E-mail').getAttribute('aria-invalid')).toBe('true'));
  });
});

describe('one contact', () => {
  const tick = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('checkbox', { name }));

  it('shows what is gained and lost before saving, and sends only the differences', async () => {
    const { changes } = open('?contact=tess-lindqvist', {
      answer: ({ endpoint }) => (endpoint === 'contacts.updateContact' ? { status: 200, data: { ...tess, version: 2 } } : undefined),
    });
    await tick('View billing');
    await tick(/^Update ROAs/);
    expect(screen.getByRole('heading', { name: 'Gains 1 permission' }).nextSibling?.textContent).toBe('View billing');
    expect(screen.getByRole('heading', { name: 'Loses 1 permission' }).nextSibling?.textContent).toBe('Update ROAs');
    await press('Save 2 changes');
    await waitFor(() => expect(changes()).toHaveLength(1));
    const { body } = changes()[0]!.input as { body: Record<string, unknown> };
    expect(Object.keys(body)).toEqual(['version', 'permissions', 'reason']);
  });

  it('412: the other person’s changes appear beside one’s own, which can be applied on top', async () => {
    const theirs = { ...tess, version: 2, position: 'Head of network' };
    const { changes } = open('?contact=tess-lindqvist', {
      answer: ({ endpoint, input }) => {
        if (endpoint !== 'contacts.updateContact') return undefined;
        const { version } = (input as { body: { version: number } }).body;
        if (version === 2) return { status: 200, data: { ...theirs, version: 3 } };
        return { status: 412, errors: [{ code: 'STALE', message: 'The contact was changed', traceId: 'f00d' }], current: theirs } as Answer;
      },
    });
    await tick('View billing');
    await press('Save 1 change');
    expect(await screen.findByText('Their changes (saved)')).toBeTruthy();
    expect(screen.getByText('Head of network')).toBeTruthy();
    await press('Apply my changes');
    await press('Save 1 change');
    await waitFor(() => expect(changes()).toHaveLength(2));
    expect(changes()[1]).toMatchObject({ input: { body: { version: 2, permissions: expect.arrayContaining(['member-billing-view']) } } });
  });

  it('unsaved input is restored after a reload', async () => {
    const first = open('?contact=tess-lindqvist');
    await tick('View billing');
    first.unmount();
    open('?contact=tess-lindqvist');
    expect((await screen.findByText(/^1 unsaved change from/)).textContent).toMatch(/^1 unsaved change from \d+:\d\d [ap]m\.$/);
    expect(screen.getByRole('button', { name: 'Save 1 change' })).toBeTruthy();
    await press('Discard');
    expect(screen.queryByText(/unsaved change/)).toBe(null);
    expect(screen.queryByRole('button', { name: 'Save 1 change' })).toBe(null);
  });

  it('compares all contacts by permission, for those who may view them', async () => {
    open('', { rows: [corin, aContact('Tess Lindqvist', { permissions: ['contacts-details-view', 'voting-vote'] }), bill] });
    const matrix = await screen.findByRole('region', { name: 'Permissions by contact' });
    const cells = (label: RegExp) =>
      within(within(matrix).getByRole('row', { name: label }))
        .getAllByRole('cell')
        .map(cell => cell.textContent);
    expect(cells(/^View contact details/)).toEqual(['Granted', 'Granted', 'Granted']);
    expect(cells(/^Update ROAs/)).toEqual(['Granted', 'Default removed', 'Not granted']);
    expect(cells(/^Vote/)).toEqual(['Granted', 'Granted in addition to the type', 'Not granted']);
    expect(cells(/^Appoint a proxy/)).toEqual(['Granted', 'Not granted', 'Not granted']);
    fireEvent.click(within(matrix).getByRole('button', { name: 'Permissions of Tess Lindqvist' }));
    expect(await screen.findByRole('heading', { level: 1, name: /Tess Lindqvist/ })).toBeTruthy();
  });

  it('says where a contact without a second factor can’t use a permission, or not all of it', async () => {
    const alone = aContact('Bill Okonkwo', {
      contactTypes: ['billing'],
      hasSecondFactor: false,
      permissions: ['member-billing-view', 'member-billing-update', 'advanced-invoice-update'],
    });
    open('', {
      rows: [{ ...corin, hasSecondFactor: true, permissions: ['member-billing-update', 'advanced-invoice-update'] }, alone],
      secondFactorFor: { always: ['advanced-invoice-update'], someChanges: ['member-billing-update'] },
    });
    const matrix = await screen.findByRole('region', { name: 'Permissions by contact' });
    const cells = (label: RegExp) =>
      within(within(matrix).getByRole('row', { name: label }))
        .getAllByRole('cell')
        .map(cell => cell.textContent);
    expect(cells(/^View billing/)[1]).toBe('Granted');
    expect(cells(/^Update billing details and pay/)).toEqual(['Granted', 'Granted, some changes need two-factor authentication']);
    expect(cells(/^Ask for invoices in advance/)).toEqual(['Granted', 'Granted, needs two-factor authentication']);
  });

  it('does not compare permissions for those who may not view them', async () => {
    open('', { session: technical });
    expect(await screen.findByText('Tess Lindqvist')).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Permissions by contact' })).toBe(null);
  });

  it('the last corporate contact stays: the refusal appears at the contact types', async () => {
    const paula = aContact('Paula Corp', { contactTypes: ['corporate'] });
    open('?contact=paula-corp', {
      rows: [corin, paula],
      answer: ({ endpoint }) =>
        endpoint === 'contacts.updateContact'
          ? {
              status: 409,
              errors: [{ code: 'LAST_CORPORATE_CONTACT', message: 'At least one corporate contact is required', traceId: 'f00d' }],
            }
          : undefined,
    });
    await tick('Corporate');
    await tick('Billing');
    await press('Ask the registry');
    expect(await screen.findAllByText('At least one corporate contact is required')).toHaveLength(1);
  });

  it('a person can change their own details, but not their types and permissions', async () => {
    const { changes } = open('?contact=corin-achterberg', {
      flag: false,
      answer: ({ endpoint }) => (endpoint === 'contacts.updateOwnDetails' ? { status: 200, data: corin } : undefined),
    });
    fireEvent.change(await screen.findByLabelText(/^Position/), { target: { value: 'Director' } });
    expect(screen.queryByRole('checkbox')).toBeNull();
    await press('Save 1 change');
    await waitFor(() =>
      expect(changes()).toEqual([
        {
          endpoint: 'contacts.updateOwnDetails',
          input: { account: 'EXAMPLE-AU', body: { version: 1, fullName: 'Corin Achterberg', phone: '', position: 'Director' } },
        },
      ]),
    );
  });

  it('a contact with view access has no controls', async () => {
    open('?contact=tess-lindqvist', {
      session: session(['contacts-details-view'], ['billing']),
      rows: [{ ...tess, permissions: null, maintainers: null }],
    });
    expect(await screen.findByText(/permission to see the permissions/)).toBeTruthy();
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull();
  });

  it('a maintainer is added and removed as a chip', async () => {
    open('?contact=tess-lindqvist');
    fireEvent.change(await screen.findByLabelText(/^Add a maintainer/), { target: { value: 'maint' } });
    await press('Add');
    expect(screen.getByRole('button', { name: 'Remove MAINT' })).toBeTruthy();
    fireEvent.change(screen.getByLabelText(/^Add a maintainer/), { target: { value: '!' } });
    await press('Add');
    expect(screen.getByText('Enter a maintainer, such as MAINT-EXAMPLE-AU')).toBeTruthy();
    await press('Remove MAINT');
    expect(screen.getByRole('button', { name: 'Save' })).toBeTruthy();
  });

  it('is removed only after the consequences were shown', async () => {
    const { changes, router, notices } = open('?contact=bill-okonkwo&q=b', {
      answer: ({ endpoint }) => (endpoint === 'contacts.removeContact' ? { status: 200, data: { removed: true } } : undefined),
    });
    await press('Remove');
    const dialog = await screen.findByRole('alertdialog', { name: 'Remove Bill Okonkwo?' });
    expect(dialog.textContent).toMatch(/end immediately/);
    expect(changes()).toEqual([]);
    await act(async () => fireEvent.click(within(dialog).getByRole('button', { name: 'Remove the contact' })));
    await waitFor(() => expect(notices).toEqual(['Bill Okonkwo is no longer a contact of EXAMPLE-AU.']));
    expect(router.place().search).toBe('?q=b');
  });

  it('an unknown address says so', async () => {
    open('?contact=nobody');
    expect(await screen.findByText('Contact not found')).toBeTruthy();
  });
});
