import type { Invitation } from '@portal/contract/contacts/invitations';

/** Why an invitation can no longer be accepted, and what to do then. Null while it can. */
export function whyEnded({ state, accountName, invitedBy }: Invitation): { title: string; words: string } | null {
  switch (state) {
    case 'open':
      return null;
    case 'expired':
      return {
        title: 'This invitation has expired',
        words: `It was open for seven days. Ask ${invitedBy} to send it again; the new link works at once.`,
      };
    case 'used':
      return {
        title: 'This invitation was answered already',
        words: `It works once. If it was not you who answered it, tell ${invitedBy} at once.`,
      };
    case 'revoked':
      return {
        title: 'This invitation was withdrawn',
        words: `If you have a newer mail about ${accountName}, open the link in that one. Otherwise ask ${invitedBy}.`,
      };
    case 'already-contact':
      return {
        title: `This login is a contact of ${accountName} already`,
        words: 'There is nothing left to accept. If the invitation was meant for somebody else, they open its link with their own login.',
      };
    case 'account-closed':
      return {
        title: `${accountName} is closed`,
        words: 'Nobody can become its contact any more. Support knows how an account is opened again.',
      };
  }
}

/** Refusals after which the invitation is not what it was when it was read. */
export const changedMeanwhile: readonly string[] = [
  'INVITATION_NOT_FOUND',
  'INVITATION_EXPIRED',
  'INVITATION_USED',
  'INVITATION_REVOKED',
  'ALREADY_CONTACT',
  'ACCOUNT_CLOSED',
  'EMAIL_MISMATCH',
  'EMAIL_NOT_CONFIRMED',
];
