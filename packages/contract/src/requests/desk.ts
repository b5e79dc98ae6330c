import { requestLife } from './life.ts';
import * as z from 'zod/mini';
import { Attachment } from '../documents/documents.ts';
import { endpoint, group, staff } from '../endpoint.ts';
import { resourceKinds } from '../resources/resource-kinds.ts';
import { severalLines } from '../several-lines.ts';
import { ResourceRequestDetail } from './requests.ts';
import { caseVersion } from '../whole-numbers.ts';

/** Blocks of one size in a pool. */
const FreeSize = z.object({ length: z.int(), blocks: z.int() });

/** One of the registry's pools, for its staff. */
export const PoolView = z.object({
  kind: z.enum(resourceKinds),
  available: z.string(),
  held: z.string(),
  quarantine: z.string(),
  reserved: z.string(),
  /** Free blocks by prefix length, whole blocks only; empty for AS numbers. */
  sizes: z.array(FreeSize),
  /** Blocks in order of their numbers; of very many the first 500. */
  blocks: z.array(
    z.object({
      resource: z.string(),
      size: z.string(),
      state: z.enum(['available', 'held', 'quarantine', 'reserved']),
      /** The request it is held for. */
      reference: z.nullable(z.string()),
      restsUntil: z.nullable(z.iso.date()),
    }),
  ),
  blockCount: z.int(),
});
export type PoolView = z.infer<typeof PoolView>;

/** Parties of a case whom staff write to: the account that sent it, and the one that receives by a transfer. */
export const addressees = ['sender', 'recipient', 'both'] as const;
export type Addressee = (typeof addressees)[number];
/** Left out where a case has one party. */
const to = z.optional(z.enum(addressees, { error: 'Choose the sender, the recipient or both' }));

/** A case with everything staff need to decide it. */
export const StaffResourceRequest = z.extend(ResourceRequestDetail, {
  /** The account that receives by a transfer or merger, which is a party of the case too; null where there is one party. */
  recipientName: z.nullable(z.string()),
  /** Open questions, one at most to each party. */
  questions: z.array(z.object({ accountName: z.string(), words: z.string(), answerBy: z.iso.datetime() })),
  /** Documents of the recipient; `papers` are the sender’s. */
  recipientPapers: z.array(Attachment),
  orgName: z.string(),
  accountStatus: z.string(),
  economy: z.nullable(z.string()),
  requesterEmail: z.string(),
  reviewer: z.nullable(z.string()),
  /** Login of the reviewer, so that readers can tell whether it is assigned to them. */
  reviewerId: z.nullable(z.string()),
  decidedBy: z.nullable(z.string()),
  byRobot: z.boolean(),
  /** Working hours the case waited for the registry. */
  workingHours: z.number(),
  late: z.boolean(),
  /** Since when it has waited for the registry, and until when it is promised; null while it waits for someone else. */
  waitsSince: z.nullable(z.iso.datetime()),
  dueAt: z.nullable(z.iso.datetime()),
  /** Working hours within which the registry promises an answer. */
  promiseHours: z.int(),
  /** Working days that half of the decisions of the last 30 days took, beside a case that waits for the registry; null without any, and for other cases. */
  medianDays: z.nullable(z.number()),
  /** The earliest day on which it can be carried out; null if it can be done now. */
  notBefore: z.nullable(z.iso.date()),
  /** The resource proposed from the pool, held for the case once it is in review; null if nothing fits or the request needs none. */
  proposed: z.nullable(z.object({ resource: z.string(), why: z.string(), held: z.boolean() })),
  pool: z.nullable(PoolView),
  holdings: z.array(
    z.object({
      resource: z.string(),
      kind: z.enum(resourceKinds),
      size: z.string(),
      used: z.string(),
      /** The used share of each of sixteen equal parts of it, from 0 to 1, of the first six blocks of addresses; null where it is not drawn. */
      parts: z.nullable(z.array(z.number())),
      holdUntil: z.nullable(z.iso.date()),
    }),
  ),
  /** The parts of what the account holds that open requests move, this one too, each with its request. */
  lockedParts: z.array(z.object({ resource: z.string(), reference: z.string() })),
  /** Whether an approval takes a second member of staff before it is applied. */
  takesTwo: z.boolean(),
  /** An approval of this version that waits for a second member of staff; null where none does. */
  proposal: z.nullable(z.object({ proposalId: z.string(), proposedBy: z.string(), expiresAt: z.iso.datetime() })),
  earlier: z.object({ approved: z.int(), rejected: z.int() }),
});
export type StaffResourceRequest = z.infer<typeof StaffResourceRequest>;

const decisionErrors = ['NOT_FOUND', 'ALREADY_RESOLVED', 'OWN_REQUEST', 'REQUEST_STATE'] as const;

export const requestDesk = group('requests.desk', {
  getStaffRequest: endpoint({
    method: 'GET',
    path: '/api/staff/resource-requests/:requestId',
    summary: 'One request for resources, transfer or return with its checks, pool, conversation and what is known of the account.',
    access: staff(['resources', 'transfers']),
    answer: StaffResourceRequest,
    errors: ['NOT_FOUND'],
  }),
  getRequestOfParty: endpoint({
    method: 'GET',
    path: '/api/staff/resource-requests/:requestId/parties/:accountName',
    summary:
      'The request as a party of it reads it: the same answer as the party’s own, without internal notes and what only the other party reads.',
    access: staff(['resources', 'transfers']),
    answer: ResourceRequestDetail,
    errors: ['NOT_FOUND'],
  }),
  listPools: endpoint({
    method: 'GET',
    path: '/api/staff/pools',
    summary: 'The pools the registry delegates from: free, held for requests, in quarantine, reserved.',
    access: staff(['resources', 'transfers', 'ledger']),
    answer: z.array(PoolView),
  }),
  reviewRequest: endpoint({
    method: 'POST',
    path: '/api/staff/resource-requests/:requestId/review',
    summary:
      'Take a request into review, or over from a colleague, who gets an e-mail. A block is held for it, so that it is still there when it is approved.',
    moves: requestLife.review,
    access: staff(['resources', 'transfers']),
    effect: 'statements',
    answer: StaffResourceRequest,
    errors: decisionErrors,
    activity: 'Started reviewing a request for resources',
  }),
  askAboutRequest: endpoint({
    method: 'POST',
    path: '/api/staff/resource-requests/:requestId/ask',
    summary:
      'Ask a party of the request for more. Of a transfer: the sender, the recipient or both; neither reads what only the other is asked. The clock stops until the answer, and the request expires without one after 30 days.',
    moves: requestLife.ask,
    access: staff(['resources', 'transfers']),
    effect: 'statements',
    body: z.object({ question: severalLines(4000, 1), to }),
    answer: StaffResourceRequest,
    errors: decisionErrors,
    activity: 'Asked about a request for resources',
  }),
  noteOnRequest: endpoint({
    method: 'POST',
    path: '/api/staff/resource-requests/:requestId/notes',
    summary: 'Add an internal note, or a message that the member reads. Of a transfer: the sender, the recipient or both.',
    access: staff(['resources', 'transfers']),
    effect: 'conversation',
    body: z.object({
      words: severalLines(4000, 1),
      internal: z.boolean({ error: 'Say who reads it: true for a note among registry staff, false for a message' }),
      to,
    }),
    answer: StaffResourceRequest,
    errors: ['NOT_FOUND'],
    activity: 'Added a note to a request for resources',
  }),
  approveRequest: endpoint({
    method: 'POST',
    path: '/api/staff/resource-requests/:requestId/approve',
    summary:
      'Approve a request: what was asked for is delegated immediately, with whois, RPKI and fees following in the same change. Of a transfer: it waits for its fee, or completes.',
    moves: requestLife.approve,
    access: staff(['resources', 'transfers']),
    effect: 'holding',
    secondPersonWhen: 'a transfer, merger or return, which changes who holds resources, and a direct delegation, which was not asked for',
    body: z.object({
      /** The version of the request that was read: one that changed meanwhile is refused with 412 STALE. */
      version: caseVersion,
      note: z._default(severalLines(1000), ''),
      /** A block other than the proposed one. */
      resource: z._default(z.string().check(z.maxLength(100)), ''),
    }),
    answer: StaffResourceRequest,
    errors: [
      ...decisionErrors,
      'POOL_EXHAUSTED',
      'DELEGATION_OVERLAPS',
      'REQUEST_NOT_ALLOWED',
      'FEES_NOT_ANNOUNCED',
      'ACCOUNT_CLOSED',
      'ACCOUNT_RESTRAINED',
      'STALE',
      'NOTICE_RUNS',
      'NOT_BEFORE',
    ],
    activity: 'Approved a request for resources',
  }),
  completeTransfer: endpoint({
    method: 'POST',
    path: '/api/staff/resource-requests/:requestId/complete',
    summary:
      'Complete a transfer whose fee is paid: ledger, whois, registrations and ROAs in one change. It completes automatically within a minute of the payment; this is for one that was put on hold.',
    moves: requestLife.complete,
    access: staff(['resources', 'transfers']),
    effect: 'holding',
    body: z.object({ version: caseVersion }),
    answer: StaffResourceRequest,
    errors: [
      ...decisionErrors,
      'STALE',
      'FEE_UNPAID',
      'REQUEST_NOT_ALLOWED',
      'ACCOUNT_CLOSED',
      'ACCOUNT_RESTRAINED',
      'DELEGATION_OVERLAPS',
    ],
    activity: 'Completed a transfer',
  }),
  refuseRequest: endpoint({
    method: 'POST',
    path: '/api/staff/resource-requests/:requestId/refuse',
    summary: 'Reject a request, with the reason. What was held for it is free again.',
    moves: requestLife.refuse,
    access: staff(['resources', 'transfers']),
    effect: 'statements',
    body: z.object({ reason: severalLines(2000, 1) }),
    answer: StaffResourceRequest,
    errors: decisionErrors,
    activity: 'Rejected a request for resources',
  }),
});
