import { PageFrame } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { whois, type WhoisMaintainer } from '@portal/contract/whois/whois';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { anAccount, type Answer, aRouter, aSession, show } from '@portal/app-kit/testing';
import MaintainerPage from './MaintainerPage.tsx';

const maintainer = (given: Partial<WhoisMaintainer> = {}): WhoisMaintainer => ({
  maintainer: 'MAINT-AU-EXAMPLE',
  principal: true,
  exists: true,
  linkedAt: '2026-01-05T00:00:00Z',
  descr: 'Example Networks',
  updTo: ['noc@example.net'],
  mntNfy: [],
  auth: ['PORTAL', 'PGPKEY-1A2B3C4D'],
  version: 2,
  maintains: [
    { class: 'inetnum', objects: 12 },
    { class: 'route', objects: 3 },
  ],
  users: [{ contactId: '7', name: 'Tess Lindqvist' }],
  usersEndAt: null,
  mine: true,
  ...given,
});
const second = maintainer({ maintainer: 'MAINT-AU-SECOND', principal: false, maintains: [], auth: [], users: null });

function open(
  rows: WhoisMaintainer[],
  search = '',
  permissions: readonly string[] = ['whois-principal-mntner-access', 'users-privileges-update'],
  doing: Answer = { status: 200, data: {} },
) {
  const router = aRouter(`/resources/maintainer${search}`);
  const notices: string[] = [];
  const shown = show(
    <PageFrame page={pages.maintainer}>
      <MaintainerPage />
    </PageFrame>,
    {
      router,
      session: aSession({ account: anAccount({ permissions: permissions as never }) }),
      kit: { notify: ({ text }) => notices.push(text) },
      answer: ({ endpoint }) => (endpoint === whois.listMaintainers.id ? { status: 200, data: { rows } } : doing),
    },
  );
  const sent = (endpoint: string) => shown.sent.filter(each => each.endpoint === endpoint).map(({ input }) => input);
  return { ...shown, router, notices, sent };
}
/** The sheet of one maintainer. */
const sheet = async (name: string) => within((await screen.findByText(name)).closest('section')!);

it('each maintainer shows what it protects, how it authenticates, and who may use it', async () => {
  open([maintainer(), second]);
  const principal = await sheet('MAINT-AU-EXAMPLE');
  expect(principal.getByText('Principal')).toBeTruthy();
  expect(principal.getByRole('link', { name: '15 objects' }).getAttribute('href')).toContain('maintainer=MAINT-AU-EXAMPLE');
  expect(principal.getByText('inetnum 12, route 3')).toBeTruthy();
  expect(principal.getByText('this portal, PGPKEY-1A2B3C4D')).toBeTruthy();
  expect(principal.getByText(/corporate contacts, Tess Lindqvist/)).toBeTruthy();
  const other = await sheet('MAINT-AU-SECOND');
  expect(other.getByText('No supported method')).toBeTruthy();
  expect(other.queryByText(/Tess Lindqvist/)).toBeNull();
});

it('the principal maintainer can’t be unlinked; another one can replace it', async () => {
  const { sent, notices } = open([maintainer(), second]);
  const principal = await sheet('MAINT-AU-EXAMPLE');
  expect(principal.queryByRole('button', { name: 'Make principal' })).toBeNull();
  expect(principal.getByRole('button', { name: 'Unlink' }).getAttribute('aria-disabled')).toBe('true');
  expect(principal.getByText('Make another maintainer the principal first')).toBeTruthy();
  fireEvent.click((await sheet('MAINT-AU-SECOND')).getByRole('button', { name: 'Make principal' }));
  await waitFor(() => expect(notices).toEqual(['MAINT-AU-SECOND is now the principal maintainer.']));
  expect(sent(whois.choosePrincipalMaintainer.id)).toEqual([{ account: 'EXAMPLE-AU', maintainer: 'MAINT-AU-SECOND' }]);
});

it('a maintainer is unlinked after its effect was shown, with its name in the address', async () => {
  const { router, sent } = open([maintainer(), second]);
  fireEvent.click((await sheet('MAINT-AU-SECOND')).getByRole('button', { name: 'Unlink' }));
  expect(router.place().search).toBe('?unlink=MAINT-AU-SECOND');
  const dialog = await screen.findByRole('alertdialog', { name: 'Unlink MAINT-AU-SECOND?' });
  expect(sent(whois.unlinkMaintainer.id)).toEqual([]);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Unlink maintainer' }));
  await waitFor(() => expect(sent(whois.unlinkMaintainer.id)).toEqual([{ account: 'EXAMPLE-AU', maintainer: 'MAINT-AU-SECOND' }]));
  await waitFor(() => expect(router.place().search).toBe(''));
});

it('a contact who cannot grant permissions cannot change the users', async () => {
  const { router } = open([maintainer(), second], '', ['whois-principal-mntner-access']);
  const other = await sheet('MAINT-AU-SECOND');
  const users = other.getByRole('button', { name: 'Change users' });
  expect(users.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(users);
  expect(router.place().search).toBe('');
  expect(other.getByRole('button', { name: 'Unlink' }).getAttribute('aria-disabled')).toBeNull();
});

it('a deleted maintainer has no object to open, and another account’s says so', async () => {
  open([maintainer({ exists: false }), maintainer({ maintainer: 'MAINT-SG-OTHER', principal: false, mine: false })]);
  const deleted = await sheet('MAINT-AU-EXAMPLE');
  expect(deleted.getByText('Deleted')).toBeTruthy();
  expect(deleted.queryByRole('link', { name: 'Open object' })).toBeNull();
  expect((await sheet('MAINT-SG-OTHER')).getByText('You can’t use it')).toBeTruthy();
});

it('without a maintainer, creating the first one is offered', async () => {
  open([]);
  expect((await screen.findByRole('link', { name: 'Make the first one' })).getAttribute('href')).toBe('/resources/maintainer?new=yes');
});

const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const person = {
  Description: 'Night desk',
  'Notify of refused changes (upd-to)': 'night@example.net, noc@example.net',
  'Person’s name': 'Nora Nightingale',
  'Postal address': 'Level 3\n10 Example Street',
  Country: 'au',
  Phone: '+61 7 5550 0177',
  'Person’s e-mail': 'nora@example.net',
};

it('the first maintainer is created with its person; missing fields are listed and nothing is sent', async () => {
  const { sent, router } = open([], '?new=yes', undefined, { status: 200, data: { outcomes: [] } });
  const create = await screen.findByRole('button', { name: 'Create person and maintainer' });
  fireEvent.click(create);
  expect(screen.getAllByText('Enter a description').length).toBeGreaterThan(0);
  expect(screen.getByLabelText('Person’s e-mail').getAttribute('aria-invalid')).toBe('true');
  expect(sent(whois.createMaintainer.id)).toEqual([]);
  for (const [label, value] of Object.entries(person)) fill(label, value);
  fill('Person’s e-mail', 'nora');
  fireEvent.click(create);
  expect(sent(whois.createMaintainer.id)).toEqual([]);
  fill('Person’s e-mail', 'nora@example.net');
  fireEvent.click(create);
  await waitFor(() => expect(sent(whois.createMaintainer.id)).toHaveLength(1));
  expect(sent(whois.createMaintainer.id)[0]).toEqual({
    account: 'EXAMPLE-AU',
    body: {
      maintainer: 'MAINT-EXAMPLE-AU',
      descr: 'Night desk',
      updTo: ['night@example.net', 'noc@example.net'],
      mntNfy: [],
      person: {
        name: 'Nora Nightingale',
        address: ['Level 3', '10 Example Street'],
        country: 'AU',
        phone: '+61 7 5550 0177',
        email: 'nora@example.net',
      },
    },
  });
  await waitFor(() => expect(router.place().search).toBe(''));
});

it('a maintainer of an existing contact needs its handle, and a refusal of the server is shown at its field', async () => {
  const errors = [{ code: 'INVALID_REQUEST', message: 'There is no contact XX1-EX.', traceId: 'f'.repeat(32), field: 'adminC' }];
  const { sent } = open([maintainer()], '?new=yes', undefined, { status: 400, errors } as never);
  const create = await screen.findByRole('button', { name: 'Create maintainer' });
  fill('Name', 'maint-au-night');
  fill('Description', 'Night desk');
  fill('Notify of refused changes (upd-to)', 'night@example.net');
  fireEvent.click(create);
  expect(screen.getByText('Enter a handle for admin-c, such as EN1-EX')).toBeTruthy();
  expect(sent(whois.createMaintainer.id)).toEqual([]);
  fill('Contact (admin-c)', 'XX1-EX');
  fireEvent.click(create);
  expect(await screen.findByText('There is no contact XX1-EX.')).toBeTruthy();
  expect(screen.getByLabelText('Contact (admin-c)').getAttribute('aria-invalid')).toBe('true');
  expect(sent(whois.createMaintainer.id)).toMatchObject([{ body: { maintainer: 'MAINT-AU-NIGHT', adminC: 'XX1-EX' } }]);
});
