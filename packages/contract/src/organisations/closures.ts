import { closureLife, closureStates } from './life.ts';
import * as z from 'zod/mini';
import { calendarDay } from '../calendar-day.ts';
import { AttachedIds, Attachment } from '../documents/documents.ts';
import { corporate, endpoint, group, staff } from '../endpoint.ts';
import { severalLines } from '../several-lines.ts';
import { staffList } from './changes.ts';

/** Plans for the number resources of an account that closes. */
export const resourceHandlings = ['return', 'transfer', 'none'] as const;

/** A member's request to end its account. Approved, the account closes on its day. */
export const AccountClosure = z.object({
  closureId: z.string(),
  /** Quoted in mails: `CLOSE-3`. */
  reference: z.string(),
  accountName: z.string(),
  reason: z.string(),
  /** A day in the time zone of the registry. */
  closeOn: z.iso.date(),
  resources: z.enum(resourceHandlings),
  /** Documents sent with it, such as a decision of the board. */
  papers: z.array(Attachment),
  state: z.enum(closureStates),
  requestedBy: z.string(),
  requestedAt: z.iso.datetime(),
  /** Who decided or withdrew it; members see `Registry staff`. */
  resolvedBy: z.nullable(z.string()),
  resolvedAt: z.nullable(z.iso.datetime()),
  note: z.nullable(z.string()),
});
export type AccountClosure = z.infer<typeof AccountClosure>;

/** The same as registry staff see it. */
export const StaffAccountClosure = z.extend(AccountClosure, {
  orgName: z.string(),
  accountStatus: z.string(),
  requesterEmail: z.string(),
  /** Delegations the account holds now. */
  delegations: z.int(),
});
export type StaffAccountClosure = z.infer<typeof StaffAccountClosure>;

const decisionErrors = ['NOT_FOUND', 'ALREADY_RESOLVED', 'OWN_REQUEST'] as const;

export const accountClosures = group('organisations.closures', {
  requestAccountClosure: endpoint({
    method: 'POST',
    path: '/api/:account/organisation/closure',
    summary: 'Ask the registry to end the account on a day. The account stays open until that day, and until the registry has approved it.',
    access: corporate,
    effect: ['holding', 'control'],
    body: z.object({
      reason: severalLines(1000, 1),
      closeOn: calendarDay(),
      resources: z.enum(resourceHandlings, { error: `Choose one of ${resourceHandlings.join(', ')}` }),
      /** The name of the account, typed out. */
      confirmation: z.string().check(z.trim(), z.maxLength(40)),
      documentIds: AttachedIds,
    }),
    answer: AccountClosure,
    errors: ['SECOND_PERSON', 'REGISTRY_DECIDES', 'NOT_FOUND', 'FILE_UNUSABLE', 'RESOURCE_LOCKED'],
    waitsFor: 'registry staff have approved it',
    activity: 'Requested to close the account',
  }),
  withdrawAccountClosure: endpoint({
    method: 'POST',
    path: '/api/:account/organisation/closure/:closureId/withdraw',
    summary: 'Withdraw the request to end the account, also after it was approved.',
    moves: closureLife.withdraw,
    access: corporate,
    effect: ['holding', 'control'],
    alone: 'the account stays as it is',
    answer: AccountClosure,
    errors: ['NOT_FOUND', 'ALREADY_RESOLVED'],
    activity: 'Withdrew the request to close the account',
  }),
  listStaffAccountClosures: endpoint({
    method: 'GET',
    path: '/api/staff/account-closures',
    summary: 'Requests to end accounts, over all accounts: those to decide or to carry out by their day, the others newest first.',
    access: staff('memberships'),
    query: z.object(staffList),
    answer: z.object({ rows: z.array(StaffAccountClosure), total: z.int() }),
  }),
  getStaffAccountClosure: endpoint({
    method: 'GET',
    path: '/api/staff/account-closures/:closureId',
    summary: 'One request to end an account, as registry staff read it.',
    access: staff('memberships'),
    answer: StaffAccountClosure,
    errors: ['NOT_FOUND'],
  }),
  approveAccountClosure: endpoint({
    method: 'POST',
    path: '/api/staff/account-closures/:closureId/approve',
    summary: 'Approve that an account ends; it closes automatically on its date.',
    moves: closureLife.approve,
    access: staff('memberships'),
    effect: ['holding', 'control'],
    body: z.object({ note: z._default(severalLines(500), '') }),
    answer: StaffAccountClosure,
    errors: [...decisionErrors, 'ACCOUNT_CLOSED', 'ACCOUNT_RESTRAINED', 'RESOURCE_LOCKED'],
    activity: 'Approved closing the account',
  }),
  refuseAccountClosure: endpoint({
    method: 'POST',
    path: '/api/staff/account-closures/:closureId/refuse',
    summary: 'Refuse that an account ends, with the reason; also one that was approved, until its day.',
    moves: closureLife.refuse,
    access: staff('memberships'),
    effect: 'statements',
    body: z.object({ reason: severalLines(500, 1) }),
    answer: StaffAccountClosure,
    errors: decisionErrors,
    activity: 'Rejected closing the account',
  }),
});
