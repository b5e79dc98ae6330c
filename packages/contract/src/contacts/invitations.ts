import * as z from 'zod/mini';
import { endpoint, group, signedIn } from '../endpoint.ts';
import { contactTypes, type Permission, permissionKeys } from '../permissions.ts';
import { invitationLife } from './life.ts';

/** An invitation as seen by the holder of its link. */
export const Invitation = z.object({
  /** Only an `open` one can be answered. */
  state: z.enum(['open', 'expired', 'used', 'revoked', 'already-contact', 'account-closed']),
  accountName: z.string(),
  orgName: z.string(),
  contactTypes: z.array(z.enum(contactTypes)),
  permissions: z.array(z.enum(permissionKeys as [Permission, ...Permission[]])),
  invitedBy: z.string(),
  sentAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** The address it was sent to, and the address of the caller's login. */
  email: z.string(),
  ownEmail: z.string(),
  /** The two are the same and the login's is verified. If not: `confirm` that both are the person's, or `refused` (corporate contacts). */
  emailMatch: z.enum(['same', 'confirm', 'refused']),
});
export type Invitation = z.infer<typeof Invitation>;

const answers = ['INVITATION_NOT_FOUND', 'INVITATION_EXPIRED', 'INVITATION_USED', 'INVITATION_REVOKED', 'TOO_MANY_REQUESTS'] as const;

/** An invitation to the verified address of the caller's own login, which proves as much as its link does. */
const OwnInvitation = z.object({
  invitationId: z.string(),
  accountName: z.string(),
  orgName: z.string(),
  contactTypes: z.array(z.enum(contactTypes)),
  invitedBy: z.string(),
  sentAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type OwnInvitation = z.infer<typeof OwnInvitation>;

export const invitations = group('contacts.invitations', {
  listOwnInvitations: endpoint({
    method: 'GET',
    path: '/api/me/invitations',
    summary: 'Open invitations to the verified address of the person’s login.',
    access: signedIn,
    answer: z.array(OwnInvitation),
  }),
  acceptOwnInvitation: endpoint({
    method: 'POST',
    path: '/api/me/invitations/:invitationId/accept',
    moves: invitationLife.accept,
    summary: 'Become a contact of the account, without the link.',
    access: signedIn,
    effect: 'joining',
    answer: z.object({ accountName: z.string() }),
    errors: [...answers, 'ALREADY_CONTACT', 'ACCOUNT_CLOSED'],
    activity: 'Accepted an invitation',
  }),
  declineOwnInvitation: endpoint({
    method: 'POST',
    path: '/api/me/invitations/:invitationId/decline',
    moves: invitationLife.decline,
    summary: 'Decline to become a contact of the account, without the link.',
    access: signedIn,
    effect: 'protection',
    errors: answers,
    activity: 'Declined an invitation',
  }),
  getInvitation: endpoint({
    method: 'GET',
    path: '/api/invitations/:acceptanceToken',
    summary: 'What an invitation offers and whether it can be accepted with this login.',
    access: signedIn,
    answer: Invitation,
    errors: ['INVITATION_NOT_FOUND', 'TOO_MANY_REQUESTS'],
    guessable: true,
  }),
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/api/invitations/:acceptanceToken/accept',
    moves: invitationLife.accept,
    summary: 'Become a contact of the account.',
    access: signedIn,
    effect: 'joining',
    body: z.object({
      /** The address of the invitation and that of the login are both the person's. */
      otherEmailConfirmed: z._default(z.boolean(), false),
    }),
    answer: z.object({ accountName: z.string() }),
    errors: [...answers, 'EMAIL_MISMATCH', 'EMAIL_NOT_CONFIRMED', 'ALREADY_CONTACT', 'ACCOUNT_CLOSED'],
    activity: 'Accepted an invitation',
  }),
  declineInvitation: endpoint({
    method: 'POST',
    path: '/api/invitations/:acceptanceToken/decline',
    moves: invitationLife.decline,
    summary: 'Decline to become a contact of the account.',
    access: signedIn,
    effect: 'protection',
    errors: [...answers],
    activity: 'Declined an invitation',
  }),
});
