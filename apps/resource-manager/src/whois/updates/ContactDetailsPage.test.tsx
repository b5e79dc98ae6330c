import { PageFrame } from '@portal/app-kit';
import { organisations } from '@portal/contract/organisations/organisations';
import { pages } from '@portal/contract/pages';
import type { Permission } from '@portal/contract';
import { type WhoisContact, whoisContacts } from '@portal/contract/whois/contacts';
import { whois } from '@portal/contract/whois/whois';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { anAccount, aRouter, aSession, problemAt, show } from '@portal/app-kit/testing';
import ContactDetailsPage from './ContactDetailsPage.tsx';

beforeEach(() => localStorage.clear());

const contact = (given: Partial<WhoisContact> = {}): WhoisContact => ({
  class: 'role',
  key: 'en1-ap',
  shown: 'EN1-AP',
  name: 'Example NOC',
  address: ['1 Old Street'],
  country: 'AU',
  phones: ['+61 7 5550 0100'],
  emails: ['noc@example.net'],
  changedAt: '2026-11-01T00:00:00Z',
  uses: [{ attribute: 'tech-c', objects: 12 }],
  ...given,
});
const person = contact({ class: 'person', key: 'tl1-ap', shown: 'TL1-AP', name: 'Tess Lindqvist', uses: [] });

function open(
  rows: WhoisContact[] = [contact(), person],
  permissions: Permission[] = ['whois-principal-mntner-access', 'contacts-details-view'],
) {
  const shown = show(
    <PageFrame page={pages.whoisContactDetailsUpdate}>
      <ContactDetailsPage />
    </PageFrame>,
    {
      router: aRouter('/resources/whois_contact_details_update/index'),
      session: aSession({ account: anAccount({ permissions }) }),
      answer({ endpoint }) {
        if (endpoint === whoisContacts.listContacts.id) return { status: 200, data: { rows } };
        if (endpoint === whois.bulkChange.id)
          return { status: 200, data: { objects: 2, matched: 2, refused: 0, outcomes: [], taskId: null } };
        const own = { postalAddress: ['Level 3', '10 Example Street'], city: 'Brisbane', region: '', postcode: '4101', economy: 'AU' };
        return { status: 200, data: { ...own, phone: '+61 7 5550 0199', abuseEmail: 'abuse@example.net' } };
      },
    },
  );
  const type = (label: RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
  const changes = () => shown.sent.filter(({ endpoint }) => endpoint === whois.bulkChange.id).map(({ input }) => input);
  const dryRun = () => fireEvent.click(screen.getByRole('button', { name: 'Dry run' }));
  return { ...shown, type, changes, dryRun };
}

it('the list shows the roles of each contact', async () => {
  open();
  expect(await screen.findByText('tech-c in 12')).toBeTruthy();
  expect(screen.getByText('not referenced')).toBeTruthy();
});

it('no dry run starts before objects are ticked and something is filled in', async () => {
  const { dryRun, changes, type } = open();
  await screen.findByText('EN1-AP');
  dryRun();
  const missing = () => screen.queryAllByRole('alert').find(alert => alert.textContent === 'Select the objects to change first');
  expect(missing()).toBeTruthy();
  expect(screen.queryByText(/Invalid input/)).toBeNull();
  expect(problemAt(/^Postal address/)).toBe('Enter what to change');
  fireEvent.click(screen.getByRole('button', { name: 'Select all' }));
  expect(missing()).toBeUndefined();
  type(/^Postal address/, '1\n2\n3\n4\n5\n6');
  expect(problemAt(/^Postal address/)).toBe('Enter the postal address in at most 5 lines');
  dryRun();
  expect(changes()).toEqual([]);
});

it('a new address replaces all lines, and empty fields stay unchanged', async () => {
  const { dryRun, changes, type } = open();
  await screen.findByText('EN1-AP');
  fireEvent.click(screen.getByRole('button', { name: 'Select all' }));
  type(/^Postal address/, 'PO Box 1\n\n Suva ');
  type(/^Country/, 'fj');
  dryRun();
  await waitFor(() => expect(changes()).toHaveLength(1));
  expect(changes()[0]).toMatchObject({
    body: {
      choose: {
        keys: [
          { class: 'role', key: 'en1-ap' },
          { class: 'person', key: 'tl1-ap' },
        ],
      },
      actions: [
        { action: 'remove', attribute: 'address' },
        { action: 'add', attribute: 'address', newValue: 'PO Box 1' },
        { action: 'add', attribute: 'address', newValue: 'Suva' },
        { action: 'set', attribute: 'country', newValue: 'FJ' },
      ],
      dryRun: true,
    },
  });
});

it('asks for every detail that the tables of persons and roles have', async () => {
  open();
  await screen.findByText('EN1-AP');
  for (const label of [
    /^Postal address/,
    /^Country/,
    /^Phone/,
    /^E-mail/,
    /^Fax \(fax-no\)/,
    /^Remarks/,
    /^Notify of changes/,
    /^Abuse mailbox/,
  ])
    expect(screen.getByLabelText(label)).toBeTruthy();
});

it('takes as many changes as one update has', async () => {
  const { dryRun, changes, type } = open();
  await screen.findByText('EN1-AP');
  fireEvent.click(screen.getByRole('button', { name: 'Select all' }));
  type(/^Postal address/, '1\n2\n3\n4\n5');
  type(/^Remarks/, '1\n2\n3\n4');
  dryRun();
  expect(problemAt(/^Remarks/)).toMatch(/^Leave this for another update: 10 changes/);
  expect(changes()).toEqual([]);
});

it('the organisation’s details can be used by those who may see them', async () => {
  open();
  fireEvent.click(await screen.findByRole('button', { name: /Use the organisation/ }));
  await waitFor(() =>
    expect((screen.getByLabelText(/^Postal address/) as HTMLTextAreaElement).value).toBe('Level 3\n10 Example Street\nBrisbane 4101'),
  );
  expect((screen.getByLabelText(/^Abuse mailbox/) as HTMLInputElement).value).toBe('abuse@example.net');
});

it('a contact who may not see the organisation gets the reason', async () => {
  const { sent } = open([contact()], ['whois-principal-mntner-access']);
  const button = await screen.findByRole('button', { name: /Use the organisation/ });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(button);
  expect(sent.filter(({ endpoint }) => endpoint === organisations.getOrganisation.id)).toEqual([]);
});
