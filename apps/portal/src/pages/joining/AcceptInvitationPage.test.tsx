import { PageFrame } from '@portal/app-kit';
import type { Invitation } from '@portal/contract/contacts/invitations';
import { pages } from '@portal/contract/pages';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type Answer, anAccount, aRouter, aSession, show } from '@portal/app-kit/testing';
import AcceptInvitationPage from './AcceptInvitationPage.tsx';

const anInvitation = (given: Partial<Invitation> = {}): Invitation => ({
  state: 'open',
  accountName: 'SOUTHSITE-NZ',
  orgName: 'Southsite Dairy Limited',
  contactTypes: ['technical'],
  permissions: ['resources-view'],
  invitedBy: 'Corin Achterberg',
  sentAt: '2026-11-20T09:00:00Z',
  expiresAt: '2026-11-27T09:00:00Z',
  email: 'nadia@newcomer.example',
  ownEmail: 'nadia@newcomer.example',
  emailMatch: 'same',
  ...given,
});
const refused = (status: number, code: string, message = code): Answer => ({ status, errors: [{ code, message, traceId: 'f00d' }] });

/** The page of an invitation. `answers` are those of calls other than reading it, by endpoint; `later` is what reading it again finds. */
function open(
  invitation: Invitation | Answer,
  {
    answers = {},
    later,
    accounts = [],
  }: { answers?: Record<string, Answer>; later?: Invitation; accounts?: ReturnType<typeof anAccount>[] } = {},
) {
  const router = aRouter('/accept-invitation/a-token');
  const selected: string[] = [];
  const notices: string[] = [];
  let reads = 0;
  const shown = show(
    <PageFrame page={pages.acceptInvitation}>
      <AcceptInvitationPage />
    </PageFrame>,
    {
      router,
      session: aSession({ account: null, accounts, selectAccount: name => selected.push(name) }),
      kit: { notify: ({ text }) => notices.push(text) },
      answer({ endpoint }) {
        if (endpoint !== 'contacts.invitations.getInvitation') return answers[endpoint] ?? { status: 200, data: [] };
        reads += 1;
        const found = reads > 1 && later ? later : invitation;
        return 'status' in found ? found : { status: 200, data: found };
      },
    },
  );
  const sent = (verb: string) => shown.sent.filter(({ endpoint }) => endpoint === `contacts.invitations.${verb}`).map(({ input }) => input);
  return { ...shown, router, selected, notices, sent };
}

it('shows who invites to what; accepting selects the account and opens it with a notice', async () => {
  const accepted = { status: 200, data: { accountName: 'SOUTHSITE-NZ' } };
  const { sent, selected, router, notices } = open(anInvitation(), { answers: { 'contacts.invitations.acceptInvitation': accepted } });
  expect(await screen.findByText('Corin Achterberg asks you to become a technical contact of Southsite Dairy Limited.')).toBeTruthy();
  expect(screen.getByText('View number resources')).toBeTruthy();
  expect(screen.queryByRole('checkbox')).toBeNull();
  fireEvent.click(screen.getByText('Accept'));
  await waitFor(() => expect(router.went).toEqual([{ href: '/', replace: false }]));
  expect(sent('acceptInvitation')).toEqual([{ acceptanceToken: 'a-token', body: { otherEmailConfirmed: false } }]);
  expect(selected).toEqual(['SOUTHSITE-NZ']);
  expect(notices).toEqual(['You are technical contact of SOUTHSITE-NZ now.']);
});

it('a login with another address can accept after confirming that both belong to the person', async () => {
  const { sent } = open(anInvitation({ email: 'n.haddad@southsite.example', emailMatch: 'confirm' }));
  const accept = await screen.findByText('Accept');
  expect(screen.getByText('n.haddad@southsite.example')).toBeTruthy();
  expect(screen.getByText('nadia@newcomer.example')).toBeTruthy();
  fireEvent.click(accept);
  expect(sent('acceptInvitation')).toEqual([]);
  fireEvent.click(screen.getByLabelText('Both addresses are mine'));
  fireEvent.click(screen.getByText('Accept'));
  await waitFor(() => expect(sent('acceptInvitation')).toMatchObject([{ body: { otherEmailConfirmed: true } }]));
});

it('an unverified address leads to its verification', async () => {
  open(anInvitation({ emailMatch: 'confirm' }));
  expect(await screen.findByText('Your login’s address isn’t verified.')).toBeTruthy();
  expect(screen.getByLabelText('This address is mine')).toBeTruthy();
});

it('a corporate contact must use the invited address: with another one the page says how to return with the right login', async () => {
  const { sent } = open(anInvitation({ contactTypes: ['corporate'], email: 'mara@southsite.example', emailMatch: 'refused' }));
  fireEvent.click(await screen.findByText('Accept'));
  expect(sent('acceptInvitation')).toEqual([]);
  expect(screen.getByText('Only a login with the verified address mara@southsite.example can accept it')).toBeTruthy();
  expect(screen.getByText('Log out').getAttribute('href')).toBe('/logout');
});

it('declining asks for confirmation, and is confirmed afterwards', async () => {
  const { sent } = open(anInvitation(), { answers: { 'contacts.invitations.declineInvitation': { status: 204 } } });
  fireEvent.click(await screen.findByText('Decline'));
  const dialog = await screen.findByRole('alertdialog');
  expect(sent('declineInvitation')).toEqual([]);
  fireEvent.click(within(dialog).getByText('Decline'));
  const said = await screen.findByText('You declined the invitation to SOUTHSITE-NZ');
  await waitFor(() => expect(document.activeElement?.contains(said)).toBe(true));
});

it.each([
  ['expired', 'This invitation has expired', /Ask Corin Achterberg to send it again/],
  ['used', 'This invitation was already answered', /tell Corin Achterberg immediately/],
  ['revoked', 'This invitation was withdrawn', /newer e-mail about SOUTHSITE-NZ/],
  ['already-contact', 'This login is already a contact of SOUTHSITE-NZ', /already a contact/],
  ['account-closed', 'SOUTHSITE-NZ is closed', /can’t get new contacts/],
] as const)('an invitation that is %s can’t be accepted, and shows the next step', async (state, title, words) => {
  open(anInvitation({ state }));
  expect(await screen.findByText(title)).toBeTruthy();
  expect(screen.getByText(words)).toBeTruthy();
  expect(screen.queryByText('Accept')).toBeNull();
  expect(screen.getAllByRole('link').length).toBe(1);
});

it('the account can be opened from an accepted invitation', async () => {
  open(anInvitation({ state: 'used' }), { accounts: [anAccount({ accountName: 'SOUTHSITE-NZ' })] });
  expect((await screen.findByText('Open SOUTHSITE-NZ')).getAttribute('href')).toBe('/SOUTHSITE-NZ/index.html');
});

it('an unknown link explains where to find the right one; other failures can be retried', async () => {
  const { unmount } = open(refused(404, 'INVITATION_NOT_FOUND'));
  expect(await screen.findByText('Invitation not found')).toBeTruthy();
  unmount();
  open(refused(429, 'TOO_MANY_REQUESTS', 'Too many requests. Try again in 60 seconds'));
  expect(await screen.findByText(/Try again in 60 seconds/)).toBeTruthy();
  expect(screen.getByText('Try again')).toBeTruthy();
});

it('withdrawn while the page was open: pressing Accept shows the new state', async () => {
  open(anInvitation(), {
    answers: { 'contacts.invitations.acceptInvitation': refused(410, 'INVITATION_REVOKED') },
    later: anInvitation({ state: 'revoked' }),
  });
  fireEvent.click(await screen.findByText('Accept'));
  expect(await screen.findByText('This invitation was withdrawn')).toBeTruthy();
});
