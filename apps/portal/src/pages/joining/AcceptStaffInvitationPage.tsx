import { FailureBanner, Page, reading, useChange, useKit } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import type { AnswerOf } from '@portal/contract';
import { people } from '@portal/contract/identity/people';
import { pages } from '@portal/contract/pages';
import { roles } from '@portal/contract/roles/roles';
import { Button, ButtonRow, DateText, EmptyState, FormColumn, KeyValueList, LinkButton, Sheet } from '@portal/ui';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { MailedLink } from './MailedLink.tsx';

const StaffPermissionNames = later(() => import('@portal/app-kit/page/StaffPermissionNames'), 'StaffPermissionNames');
const title = pages.acceptStaffInvitation.title;
type Invitation = AnswerOf<typeof roles.getStaffInvitation>;

/** `/accept-staff-invitation/{acceptanceToken}`: what a role of registry staff would let the person do, to accept with their own login. */
export default function AcceptStaffInvitationPage() {
  const { call } = useKit();
  return (
    <MailedLink
      title={title}
      param="acceptanceToken"
      read={acceptanceToken => reading(call, roles.getStaffInvitation, { acceptanceToken })}
      unknown={{ code: 'INVITATION_NOT_FOUND', title: 'Invitation not found', ask: 'the person who invited you to send it again' }}
    >
      {(invitation, acceptanceToken) => (
        <Page
          title={title}
          sub={invitation.state === 'open' ? `${invitation.invitedBy} asks you to work here as ${invitation.role}.` : undefined}
        >
          {invitation.state === 'open' ? <Offer invitation={invitation} acceptanceToken={acceptanceToken} /> : <Ended {...invitation} />}
        </Page>
      )}
    </MailedLink>
  );
}

const ends: Record<Exclude<Invitation['state'], 'open' | 'other-login'>, { title: string; words: string }> = {
  expired: { title: 'This invitation has ended', words: 'It was valid for seven days, or was withdrawn. Ask for a new one.' },
  used: { title: 'This invitation was already accepted', words: 'It works once. If it wasn’t you who accepted it, tell the registry now.' },
};

function Ended({ state, email, ownEmail }: Invitation) {
  if (state === 'other-login')
    return (
      <Sheet flush>
        <EmptyState
          title={`This invitation is for the login of ${email}`}
          action={<LinkButton href={pages.logout.path}>Log out</LinkButton>}
        >
          You are logged in as {ownEmail}. Log out, open the link in the e-mail again, and log in with the invited address.
        </EmptyState>
      </Sheet>
    );
  const end = ends[state === 'used' ? 'used' : 'expired'];
  return (
    <Sheet flush>
      <EmptyState title={end.title} action={<LinkButton href="/">Go to the start page</LinkButton>}>
        {end.words}
      </EmptyState>
    </Sheet>
  );
}

function Offer({ invitation, acceptanceToken }: { invitation: Invitation; acceptanceToken: string }) {
  const { role, permissions, invitedBy, reason, startsAt, until, expiresAt } = invitation;
  const answers = useQueryClient();
  const [accepted, setAccepted] = useState(false);
  const accept = useChange(roles.acceptStaffInvitation, {
    refresh: [people.getMe],
    showsErrors: true,
    onDone: () => setAccepted(true),
  });
  if (accepted)
    return (
      <Sheet flush>
        <EmptyState title={`You are registry staff: ${role}`} picture={false} action={<LinkButton href="/desk">Open the desk</LinkButton>}>
          The desk needs a second factor. Add one to your login if you have none yet.
        </EmptyState>
      </Sheet>
    );
  return (
    <FormColumn>
      <FailureBanner failure={accept.error} />
      <Sheet>
        <KeyValueList
          align="left"
          items={[
            { key: 'Role', value: role },
            {
              key: 'You could',
              value: (
                <Suspense>
                  <StaffPermissionNames permissions={permissions} />
                </Suspense>
              ),
            },
            { key: 'Invited by', value: invitedBy },
            { key: 'Reason', value: <bdi>{reason}</bdi> },
            { key: 'From', value: startsAt === null ? 'now' : <DateText value={startsAt} shape="date" /> },
            { key: 'Until', value: until === null ? 'it is withdrawn' : <DateText value={until} shape="date" /> },
            { key: 'Open until', value: <DateText value={expiresAt} /> },
          ]}
        />
        <ButtonRow>
          <Button
            variant="primary"
            busy={accept.isPending}
            onClick={() =>
              accept.mutate(
                { acceptanceToken },
                { onError: () => void answers.invalidateQueries({ queryKey: [roles.getStaffInvitation.id] }) },
              )
            }
          >
            Accept
          </Button>
          <LinkButton href="/">Not now</LinkButton>
        </ButtonRow>
      </Sheet>
    </FormColumn>
  );
}
