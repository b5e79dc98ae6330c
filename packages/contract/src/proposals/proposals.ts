import { proposalLife, proposalStates } from './life.ts';
import * as z from 'zod/mini';
import { contact, corporate, endpoint, group, staff } from '../endpoint.ts';
import { proposalPermissions } from '../staff-permissions.ts';

/** A change that waits for a second person, or one of which it is known what became of it (S25). */
export const Proposal = z.object({
  proposalId: z.string(),
  /** The account it is about; null where it is about none. */
  accountName: z.nullable(z.string()),
  /** Such as `contacts.updateContact`. */
  action: z.string(),
  /** The change, in words that also fit a rejected one: `Transfer REQ-9: 198.51.100.0/24 to OTHER-SG`. */
  what: z.string(),
  /** The page where it is decided; null where that is the list. */
  link: z.nullable(z.string()),
  /** The summary its proposer saw: label and value. */
  shown: z.array(z.object({ label: z.string(), value: z.string() })),
  /** Hash of exactly this proposal; an approval names it. */
  fingerprint: z.string(),
  proposedBy: z.string(),
  /** The reader proposed it, and so does not decide it. */
  isMine: z.boolean(),
  proposedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  state: z.enum(proposalStates),
  decidedBy: z.nullable(z.string()),
  decidedAt: z.nullable(z.iso.datetime()),
  note: z.string(),
  /**
   * Why the reader is no second person for it yet, though their roles open it: who stands behind both sides, having given a role lately, and from when the reader can approve it. Null otherwise.
   */
  tooNew: z.nullable(z.object({ givenBy: z.string(), from: z.iso.datetime() })),
  /** The permission, in words, of those who approve it, where the reader doesn’t hold it, or holds that of the proposer in an act of two roles. Null otherwise. */
  needsRole: z.nullable(z.string()),
  /** The people who can approve it now; empty once it is decided. */
  waitsFor: z.array(z.string()),
});
export type Proposal = z.infer<typeof Proposal>;

const words = z._default(z.string().check(z.trim(), z.maxLength(500)), '');
const approval = z.object({
  fingerprint: z.string().check(z.regex(/^[0-9a-f]{64}$/, { error: 'Name what is approved by its fingerprint' })),
});
const decisionErrors = ['NOT_FOUND', 'ALREADY_RESOLVED', 'OWN_REQUEST'] as const;

export const proposals = group('proposals', {
  listProposals: endpoint({
    method: 'GET',
    path: '/api/:account/proposals',
    summary: 'Changes of the account that wait for a second corporate contact, and the latest that were decided.',
    access: contact,
    answer: z.object({
      /** The account has the rule that a second corporate contact approves. */
      rule: z.boolean(),
      /** Corporate contacts with a second factor: with fewer than two the rule cannot be. */
      approvers: z.int(),
      waiting: z.array(Proposal),
      decided: z.array(Proposal),
    }),
  }),
  setTwoPersonRule: endpoint({
    method: 'POST',
    path: '/api/:account/two-person-rule',
    summary: 'Have a second corporate contact approve changes of weight, or stop to. To stop needs a second person as well.',
    access: corporate,
    effect: 'control',
    body: z.object({ on: z.boolean() }),
    answer: z.object({ rule: z.boolean() }),
    errors: ['SECOND_PERSON', 'NO_SECOND_PERSON'],
    activity: 'Changed the two-person rule',
  }),
  approveProposal: endpoint({
    method: 'POST',
    path: '/api/:account/proposals/:proposalId/approve',
    summary: 'Approve exactly what was shown. It is applied immediately.',
    moves: proposalLife.approve,
    access: corporate,
    effect: 'approvals',
    body: approval,
    answer: Proposal,
    errors: [...decisionErrors, 'STALE', 'PROPOSAL_OUTDATED'],
    carriesOut: 'account',
    activity: 'Approved a proposed change',
  }),
  rejectProposal: endpoint({
    method: 'POST',
    path: '/api/:account/proposals/:proposalId/reject',
    summary: 'Reject a change; nothing is done.',
    moves: proposalLife.reject,
    access: { ...corporate, mfa: true },
    effect: 'protection',
    body: z.object({ note: words }),
    answer: Proposal,
    errors: decisionErrors,
    activity: 'Rejected a proposed change',
  }),
  withdrawProposal: endpoint({
    method: 'POST',
    path: '/api/:account/proposals/:proposalId/withdraw',
    summary: 'Withdraw what one proposed oneself.',
    moves: proposalLife.withdraw,
    access: contact,
    effect: 'protection',
    answer: Proposal,
    errors: ['NOT_FOUND', 'ALREADY_RESOLVED'],
    activity: 'Withdrew a proposed change',
  }),
  listStaffProposals: endpoint({
    method: 'GET',
    path: '/api/staff/proposals',
    summary: 'Changes by registry staff that wait for a second one of them, and the latest that were decided.',
    access: staff(proposalPermissions),
    answer: z.object({ waiting: z.array(Proposal), decided: z.array(Proposal) }),
  }),
  approveStaffProposal: endpoint({
    method: 'POST',
    path: '/api/staff/proposals/:proposalId/approve',
    summary: 'Approve exactly what was shown, as the second person of the registry. It is applied immediately.',
    moves: proposalLife.approve,
    access: staff(proposalPermissions),
    effect: 'approvals',
    body: approval,
    answer: Proposal,
    errors: [...decisionErrors, 'STALE', 'PROPOSAL_OUTDATED', 'NO_PERMISSION', 'ROLE_TOO_NEW', 'SAME_ROLE'],
    carriesOut: 'always',
    activity: 'Approved a proposed change',
  }),
  rejectStaffProposal: endpoint({
    method: 'POST',
    path: '/api/staff/proposals/:proposalId/reject',
    summary: 'Reject a change of a colleague, or withdraw one’s own; nothing is done.',
    moves: proposalLife.reject,
    access: staff(proposalPermissions),
    effect: 'protection',
    body: z.object({ note: words }),
    answer: Proposal,
    errors: ['NOT_FOUND', 'ALREADY_RESOLVED', 'OWN_REQUEST'],
    activity: 'Rejected a proposed change',
  }),
});
