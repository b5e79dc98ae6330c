import type { Invitation } from '@portal/contract/contacts/invitations';

/** Why an invitation can no longer be accepted, and what to do then. Null while it can. */
export function whyEnded({ state, accountName, invitedBy }: Invitation): { title: string; words: string } | null {
  switch (state) {
    case 'open':
      return null;
    case 'expired':
      return {
        title: 'This invitation has expired',
        words: `It was valid for seven days. Ask ${invitedBy} to send it again.`,
      };
    case 'used':
      return {
        title: 'This invitation was already answered',
        words: `It works once. If it wasn’t you who answered it, tell ${invitedBy} immediately.`,
      };
    case 'revoked':
      return {
        title: 'This invitation was withdrawn',
        words: `If you have a newer e-mail about ${accountName}, open its link. Otherwise ask ${invitedBy}.`,
      };
    case 'already-contact':
      return {
        title: `This login is already a contact of ${accountName}`,
        words: 'If the invitation was meant for someone else, they can open the link with their own login.',
      };
    case 'account-closed':
      return {
        title: `${accountName} is closed`,
        words: 'It can’t get new contacts. Support can tell you how to reopen an account.',
      };
  }
}

/** Refusals which mean that the invitation has changed since it was read. */
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
