import { rowId } from '../row-ids.ts';
import * as z from 'zod/mini';
import { AttachedIds, Attachment } from '../documents/documents.ts';
import { endpoint, group, member, largeBody } from '../endpoint.ts';
import { Quantity, resourceKinds } from '../resources/resource-kinds.ts';
import { foundStates } from '../reverse-dns/zone-states.ts';
import { severalLines } from '../several-lines.ts';
import { requestLife, requestStates } from './life.ts';
import { Recovery } from './recoveries.ts';
import { objectPlans, plannedObjects, RequestForm, requestKindNames } from './request-form.ts';
import { caseVersion } from '../whole-numbers.ts';

/** Who acts next. */
export const nextMoves = ['you', 'registry', 'other-party', 'none'] as const;

/** A fact the registry checks: its value, its source, and whether the policy is met. `open`: depends on an answer of the form. */
export const RequestCheck = z.object({
  checkId: z.string(),
  fact: z.string(),
  known: z.string(),
  source: z.string(),
  /** `review`: a hostmaster checks it; the request can be sent. */
  state: z.enum(['met', 'unmet', 'review', 'open']),
  /** The rule, in a few words. */
  policy: z.string(),
  /** The page of the portal where the account can set it right. */
  fix: z.optional(z.object({ label: z.string(), path: z.string() })),
});
export type RequestCheck = z.infer<typeof RequestCheck>;
/** Whether a check stands against a request: it isn’t met, or not answered yet. */
export const isUnmet = ({ state }: Pick<RequestCheck, 'state'>): boolean => state === 'unmet' || state === 'open';

/** A document that goes with a request. */
export const NeededDocument = z.object({ name: z.string(), why: z.string(), required: z.boolean() });

/** An annual fee now and with what the case gives or takes; decimal amounts without tax. Null where the account pays none. */
const FeeChange = z.nullable(z.object({ currency: z.string(), now: z.string(), after: z.string(), once: z.nullable(z.string()) }));

/**
 * The annual fee with several kinds of numbers: `ipv4` and `ipv6` are what each kind would cost alone, of which the larger counts; `asns` is that of AS numbers beyond those without a fee.
 * Null where the account would hold none, and as a whole where it pays no fee.
 */
const RequestFee = z.nullable(
  z.object({
    currency: z.string(),
    now: z.string(),
    after: z.string(),
    ipv4: z.nullable(z.string()),
    ipv6: z.nullable(z.string()),
    asns: z.nullable(z.string()),
  }),
);

/** One case in the list of an account. */
export const ResourceRequest = z.object({
  requestId: z.string(),
  /** Quoted in mails: `REQ-12`. */
  reference: z.string(),
  kind: z.enum(requestKindNames),
  state: z.enum(requestStates),
  /** The request in words: `A /24 of IPv4`. */
  asked: z.string(),
  accountName: z.string(),
  /** The other party of a transfer. */
  otherParty: z.nullable(z.string()),
  /** The part the account plays: who receives by a transfer is `recipient`. */
  role: z.enum(['requester', 'recipient']),
  nextMove: z.enum(nextMoves),
  /** Its place among all cases that wait for the registry, or on the waiting list for IPv4, from 1; null where it does not wait. */
  place: z.nullable(z.int()),
  startedAt: z.iso.datetime(),
  submittedAt: z.nullable(z.iso.datetime()),
  since: z.iso.datetime(),
  /** When it ends unless someone acts. */
  expiresAt: z.nullable(z.iso.datetime()),
  requestedBy: z.string(),
  resolvedAt: z.nullable(z.iso.datetime()),
  note: z.nullable(z.string()),
  /** Delegated, moved or returned resources. */
  resources: z.array(z.string()),
  /** For this member of a national registry. */
  subaccount: z.nullable(z.string()),
});
export type ResourceRequest = z.infer<typeof ResourceRequest>;

/** Something that happened, or was said. */
export const RequestEvent = z.object({
  eventId: z.string(),
  kind: z.string(),
  at: z.iso.datetime(),
  /** Null where the registry's rules acted. */
  by: z.nullable(z.string()),
  byStaff: z.boolean(),
  internal: z.boolean(),
  /** The party whose conversation with the registry it belongs to, or who acted; null: both parties read it. */
  party: z.nullable(z.string()),
  words: z.string(),
});
export type RequestEvent = z.infer<typeof RequestEvent>;

/** One object on a block that is handed over: what is there, and what happens to it on completion, in the words of the party that reads it. */
export const PlannedEffect = z.object({
  what: z.enum(['delegation', 'registration', 'roa', 'aspa', 'route', 'whois', 'reverse', 'contact', 'geofeed', 'account']),
  name: z.string(),
  today: z.string(),
  act: z.enum(['moves', 'stays', 'ends', 'changes', 'holds']),
  on: z.string(),
  /** The plan for it; null where nothing can be chosen. */
  plan: z.nullable(z.enum(objectPlans)),
  /** Of a reverse zone, what the last check of its name servers found; left out of everything else. */
  zone: z.optional(z.enum(foundStates)),
  /** Of a ROA, the ROAs that the recipient signs in its place, unless it declines; left out where there are none. */
  signs: z.optional(z.array(z.string())),
});
export type PlannedEffect = z.infer<typeof PlannedEffect>;

/** Origin validation of an announcement (RFC 6811), in three states. */
const originStates = ['valid', 'invalid', 'not-found'] as const;
/** An announcement that collectors see, and what validators make of it before and after completion. ROAs change with the ledger, in one publication. */
export const PlannedAnnouncement = z.object({
  prefix: z.string(),
  asn: z.int(),
  /** Collector peers that see it. */
  peers: z.int(),
  before: z.enum(originStates),
  after: z.enum(originStates),
  /** It is of addresses or from an AS number that moves; otherwise of what is kept. */
  moves: z.boolean(),
});
export type PlannedAnnouncement = z.infer<typeof PlannedAnnouncement>;

/** The preview of a transfer or return: what each party has afterwards. */
export const TransferPlan = z.object({
  moves: z.array(z.string()),
  /** Kept of the delegations that are split. */
  keeps: z.array(z.string()),
  effects: z.array(PlannedEffect),
  /** Further objects that are not listed. */
  more: z.int(),
  /**
   * Payable before completion, without tax; null where none is due. Its amount is null where the registry has announced no fees. `payer` is null while a draft names no recipient. `unless` says
   * when none is due after all: of a draft, about which the recipient's account isn't asked.
   */
  fee: z.nullable(
    z.object({
      currency: z.string(),
      amount: z.nullable(z.string()),
      payer: z.nullable(z.string()),
      why: z.string(),
      unless: z.nullable(z.string()),
    }),
  ),
  /** Announcements of the space and under ROAs that change, as collectors see them, at most 50: what moves first, then what changes. `collectedAt` is null without a table of BGP. */
  announcements: z.object({ collectedAt: z.nullable(z.iso.datetime()), rows: z.array(PlannedAnnouncement), total: z.int() }),
  /** Days from sending to completion of half of all such cases in the last year; null of fewer than three. */
  typicalDays: z.nullable(z.number()),
});
export type TransferPlan = z.infer<typeof TransferPlan>;

/** An object that a transfer handed over for a time. */
export const HeldObject = z.object({
  heldId: z.string(),
  what: z.enum(plannedObjects),
  name: z.string(),
  /** Until the end of the day before; kept ones have no end. */
  endsOn: z.iso.date(),
  state: z.enum(['held', 'kept', 'ended']),
});
export type HeldObject = z.infer<typeof HeldObject>;

/** Names that an account has for its objects, where a form asks for nothing else; and those that it can choose from. */
export const WhoisNames = z.object({
  defaults: z.object({
    netname: z.string(),
    /** Empty where it has no contact, no maintainer or no mailbox for abuse reports of its own. */
    adminContact: z.string(),
    techContact: z.string(),
    maintainer: z.string(),
    abuseMailbox: z.string(),
  }),
  /** Handles of its contacts, and its maintainers. */
  contacts: z.array(z.string()),
  maintainers: z.array(z.string()),
});
export type WhoisNames = z.infer<typeof WhoisNames>;

/** Figures of the registry's rules that forms and cases explain: days, years, a size. */
export const RequestTerms = z.object({
  /** For the recipient of a transfer to answer, for its fee to be paid, and for the recipient to keep what is held. */
  acknowledgeDays: z.int(),
  feeDays: z.int(),
  holdDays: z.int(),
  /** For which a draft is kept, and for which a question can be answered. */
  draftDays: z.int(),
  answerDays: z.int(),
  /** For which addresses from the last pool can't be transferred. */
  holdYears: z.int(),
  /** Prefix length of the smallest block that is delegated or transferred. */
  ipv4Smallest: z.int(),
});
export type RequestTerms = z.infer<typeof RequestTerms>;

export const ResourceRequestDetail = z.extend(ResourceRequest, {
  version: caseVersion,
  terms: RequestTerms,
  form: RequestForm,
  /** The recipient's answer; null before that, and for other cases. */
  receiveForm: z.nullable(RequestForm),
  checks: z.array(RequestCheck),
  documents: z.array(NeededDocument),
  /** Files of the account itself; the other party's are not shown. */
  papers: z.array(Attachment),
  /** The registry’s question to the account; null where it isn’t asked. `expiresAt` is its deadline. */
  question: z.nullable(z.string()),
  events: z.array(RequestEvent),
  fee: FeeChange,
  /** How what the case gives appears in whois where the form says nothing else: of the account that receives. Null where the reader receives nothing by it. */
  whois: z.nullable(WhoisNames),
  plan: z.nullable(TransferPlan),
  /** The resource that an open return takes back because its event is over, with its last day: it can’t be withdrawn. Null for everything else. */
  returnDue: z.nullable(z.object({ resource: z.string(), endedOn: z.iso.date() })),
  /** Of a return that the registry opened to take numbers back; null for everything else. */
  recovery: z.nullable(Recovery),
  /**
   * Of a delegation that the registry opened itself: the account didn’t ask for it, and can decline it; null for everything else. `resource`: the numbers that are held for it, while it is
   * open.
   */
  direct: z.nullable(z.object({ resource: z.nullable(z.string()) })),
  /** Objects that were handed over for a time; of completed transfers. */
  held: z.array(HeldObject),
  /** Transfer fee that is due; null where none is. */
  due: z.nullable(
    z.object({
      currency: z.string(),
      /** Before tax. */
      amount: z.string(),
      payer: z.string(),
      paidOn: z.nullable(z.iso.date()),
      /** Its invoice, total with tax; null for the other party, and for the minute until it is issued. */
      invoice: z.nullable(z.object({ number: z.string(), total: z.string(), dueOn: z.iso.date() })),
    }),
  ),
});
export type ResourceRequestDetail = z.infer<typeof ResourceRequestDetail>;

/** How many requests wait, and how long answers take: of the last 30 days, in working days of 8 hours a day. */
export const QueueFacts = z.object({
  waiting: z.int(),
  /** Of those, how many are being reviewed. */
  inReview: z.int(),
  /** Null without any answer. */
  medianDays: z.nullable(z.number()),
  /** Each answer, to a quarter of a day, shortest first; of more than 200 the latest. */
  answerDays: z.array(z.number()),
});
export type QueueFacts = z.infer<typeof QueueFacts>;

/**
 * Figures of a transfer out before a block is chosen: per size of a block that the account could give away, smallest first, the fee of the transfer and the annual fee of the account
 * afterwards, both decimal amounts without tax. `fee` is null where none is due or announced, `annual` where the account pays none. `typicalDays` as of a plan.
 */
export const TransferOutlook = z.object({
  currency: z.string(),
  annualNow: z.nullable(z.string()),
  sizes: z.array(z.object({ length: z.int(), fee: z.nullable(z.string()), annual: z.nullable(z.string()) })),
  typicalDays: z.nullable(z.number()),
  /** When no transfer fee is due after all; null where there is none. */
  unless: z.nullable(z.string()),
});
export type TransferOutlook = z.infer<typeof TransferOutlook>;

/** Eligibility of an account before anything is filled in. */
export const RequestEligibility = z.object({
  kind: z.enum(requestKindNames),
  checks: z.array(RequestCheck),
  /** Why it can't be asked for; null if it can. */
  why: z.nullable(z.string()),
  /** Grounds, with the prefix lengths each can have; the first is the usual one. */
  paths: z.array(z.object({ path: z.string(), label: z.string(), lengths: z.array(z.int()), words: z.string() })),
  documents: z.array(NeededDocument),
  /** A draft or an open request of this kind, to be continued. */
  open: z.nullable(z.object({ requestId: z.string(), reference: z.string(), state: z.enum(requestStates) })),
  /** The remainder under the limit, in words. */
  room: z.string(),
  /** The figures behind it: IPv4 addresses of the last pool, or AS numbers without a fee. `limit` is null where no fees are announced. Null for other kinds. */
  share: z.nullable(z.object({ held: Quantity, limit: z.nullable(Quantity) })),
  /**
   * Of AS numbers: networks that collectors see beside the account, those that most peers see first. `neighbour`: in front of one of its AS numbers. `origin`: it announces
   * addresses of the account.
   */
  networks: z.array(z.object({ asn: z.int(), peers: z.int(), seen: z.enum(['neighbour', 'origin']) })),
  terms: RequestTerms,
  queue: QueueFacts,
  /** Of transfers; null for other kinds. */
  transfer: z.nullable(TransferOutlook),
  oneClick: z.nullable(z.object({ length: z.int(), why: z.string() })),
});
export type RequestEligibility = z.infer<typeof RequestEligibility>;

/** Resources of the account that could be handed over, and why not. */
export const MovableResource = z.object({
  resource: z.string(),
  kind: z.enum(resourceKinds),
  size: z.string(),
  /** Registered below it. */
  used: z.string(),
  /** The day of its delegation; null where the registry has no record of it. */
  delegatedOn: z.nullable(z.iso.date()),
  holdUntil: z.nullable(z.iso.date()),
  /** Why it can't be returned or transferred now, for each way; null if it can. */
  against: z.object({ transfer: z.nullable(z.string()), acquisition: z.nullable(z.string()), return: z.nullable(z.string()) }),
  /** It can be locked by its holder: nothing is under way, and it isn't locked yet. */
  lockable: z.boolean(),
  /** The parts of it that requests move already, each with its request. The rest can be moved by others. */
  locked: z.array(z.object({ resource: z.string(), reference: z.string() })),
});
export type MovableResource = z.infer<typeof MovableResource>;

/** A prefix length in a query. */
const lengthOf = (most: number) => z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(most)));

const see = member('tickets-resources-view');
const update = member('tickets-resources-update');
const stateErrors = ['NOT_FOUND', 'STALE', 'REQUEST_STATE'] as const;

export const requests = group('requests', {
  listRequests: endpoint({
    method: 'GET',
    path: '/api/:account/requests',
    publicApi: { path: '/requests', scope: 'requests:read' },
    summary: 'Requests, transfers and returns of the account, as either party: open ones first, then newest first.',
    access: see,
    query: z.object({
      status: z._default(z.enum(['open', 'closed', 'all']), 'all'),
      kind: z.optional(z.enum(requestKindNames)),
      q: z._default(z.string().check(z.maxLength(100)), ''),
      offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(100_000)), 0),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 50),
    }),
    answer: z.object({ rows: z.array(ResourceRequest), total: z.int(), queue: QueueFacts }),
  }),
  getEligibility: endpoint({
    method: 'GET',
    path: '/api/:account/request-eligibility/:kind',
    publicApi: { path: '/request-eligibility/:kind', scope: 'requests:read' },
    summary: 'What the account can ask for, from what the registry knows, before anything is filled in.',
    access: see,
    answer: RequestEligibility,
    errors: ['NOT_FOUND'],
  }),
  getRequestFee: endpoint({
    method: 'GET',
    path: '/api/:account/request-fee',
    summary: 'The annual fee of the account, without tax, by the present schedule: now, and with numbers that it could request together.',
    access: see,
    query: z.object({
      /** Prefix lengths, and how many AS numbers; what is left out is not requested. */
      ipv4: lengthOf(32),
      ipv6: lengthOf(56),
      asns: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(100)), 0),
    }),
    answer: z.object({ fee: RequestFee }),
  }),
  listMovable: endpoint({
    method: 'GET',
    path: '/api/:account/movable-resources',
    summary: 'Resources of the account, with why each can or can’t be transferred or returned now.',
    access: see,
    answer: z.object({ rows: z.array(MovableResource), why: z.nullable(z.string()) }),
  }),
  getRequest: endpoint({
    method: 'GET',
    path: '/api/:account/requests/:requestId',
    publicApi: { path: '/requests/:requestId', scope: 'requests:read' },
    summary: 'One case with its answers, checks, documents and conversation, for either party.',
    access: see,
    answer: ResourceRequestDetail,
    errors: ['NOT_FOUND'],
  }),
  startRequest: endpoint({
    method: 'POST',
    path: '/api/:account/requests',
    publicApi: { path: '/requests', scope: 'requests:write' },
    summary: 'Start a request; it is a draft until it is sent. An open request of the same kind is answered instead of a second one.',
    access: update,
    effect: 'drafts',
    body: z.object({
      kind: z.enum(requestKindNames),
      /** Of a transfer: the account receives from another registry. */
      incoming: z._default(z.boolean(), false),
    }),
    answer: ResourceRequestDetail,
    errors: ['ACCOUNT_SUSPENDED', 'REQUEST_OPEN'],
    activity: 'Started a request for resources',
  }),
  saveRequest: endpoint({
    method: 'PUT',
    path: '/api/:account/requests/:requestId/draft',
    publicApi: { path: '/requests/:requestId/draft', scope: 'requests:write' },
    summary: 'Keep what was answered so far, finished or not. Possible in a draft, and while the registry waits for an answer.',
    access: update,
    effect: 'drafts',
    largestBody: largeBody,
    body: z.object({ version: caseVersion, form: RequestForm, documentIds: AttachedIds }),
    answer: ResourceRequestDetail,
    errors: [...stateErrors, 'FILE_UNUSABLE'],
    activity: 'Saved a request for resources',
  }),
  submitRequest: endpoint({
    method: 'POST',
    path: '/api/:account/requests/:requestId/submit',
    publicApi: { path: '/requests/:requestId/submit', scope: 'requests:write' },
    summary: 'Send the request. Everything that is missing is reported together; one already sent is returned unchanged.',
    moves: requestLife.send,
    access: update,
    effect: 'holding',
    body: z.object({ version: caseVersion, truthful: z.literal(true, { error: 'Confirm that everything is true' }) }),
    answer: ResourceRequestDetail,
    errors: [
      ...stateErrors,
      'REQUEST_NOT_ALLOWED',
      'RECIPIENT_UNKNOWN',
      'RESOURCE_LOCKED',
      'NOT_HOLDER',
      'ON_HOLD_UNTIL',
      'ACCOUNT_SUSPENDED',
    ],
    activity: 'Sent a request for resources',
  }),
  answerRequest: endpoint({
    method: 'POST',
    path: '/api/:account/requests/:requestId/answer',
    publicApi: { path: '/requests/:requestId/answer', scope: 'requests:write' },
    summary: 'Answer what the registry asked; the clock runs again.',
    moves: requestLife.answer,
    access: update,
    effect: 'conversation',
    body: z.object({ version: caseVersion, answer: severalLines(4000, 1), documentIds: AttachedIds }),
    answer: ResourceRequestDetail,
    errors: [...stateErrors, 'FILE_UNUSABLE'],
    activity: 'Answered the registry about a request for resources',
  }),
  writeAboutRequest: endpoint({
    method: 'POST',
    path: '/api/:account/requests/:requestId/messages',
    publicApi: { path: '/requests/:requestId/messages', scope: 'requests:write' },
    summary: 'Add a message to an open case. The registry reads it; the other party of a transfer does not.',
    access: update,
    effect: 'conversation',
    body: z.object({ words: severalLines(4000, 1), documentIds: AttachedIds }),
    answer: ResourceRequestDetail,
    errors: [...stateErrors, 'FILE_UNUSABLE'],
    activity: 'Wrote about a request for resources',
  }),
  withdrawRequest: endpoint({
    method: 'POST',
    path: '/api/:account/requests/:requestId/withdraw',
    publicApi: { path: '/requests/:requestId/withdraw', scope: 'requests:write' },
    summary:
      'Withdraw an open request, or delete a draft. A transfer can be withdrawn until the recipient has acknowledged it; a return of what was delegated for an event until its last day.',
    moves: requestLife.withdraw,
    access: update,
    effect: 'protection',
    answer: ResourceRequest,
    errors: [...stateErrors, 'RETURN_DUE', 'RECOVERY'],
    activity: 'Withdrew a request for resources',
  }),
  confirmOneClick: endpoint({
    method: 'POST',
    path: '/api/:account/ipv6-oneclick',
    summary: 'IPv6 for a member that holds IPv4 and no IPv6, delegated immediately. Sent twice it answers the same block.',
    access: update,
    effect: 'holding',
    body: z.object({ agreed: z.literal(true, { error: 'Accept the conditions' }) }),
    answer: ResourceRequestDetail,
    errors: ['NOT_ELIGIBLE', 'POOL_EXHAUSTED', 'DELEGATION_OVERLAPS'],
    flag: 'ipv6oneclick',
    activity: 'Took IPv6 in one click',
  }),
  acknowledgeTransfer: endpoint({
    method: 'POST',
    path: '/api/:account/requests/:requestId/acknowledge',
    summary: 'Accept an offered transfer as its recipient, with the plan for the space. It goes to the registry then.',
    moves: requestLife.acknowledge,
    access: update,
    effect: 'holding',
    largestBody: largeBody,
    body: z.object({
      version: caseVersion,
      form: RequestForm,
      documentIds: AttachedIds,
      truthful: z.literal(true, { error: 'Confirm that everything is true' }),
    }),
    answer: ResourceRequestDetail,
    errors: [...stateErrors, 'FILE_UNUSABLE', 'PREAPPROVAL_INSUFFICIENT', 'REQUEST_NOT_ALLOWED', 'ACCOUNT_SUSPENDED'],
    activity: 'Acknowledged a transfer',
  }),
  keepHeld: endpoint({
    method: 'POST',
    path: '/api/:account/requests/:requestId/held/keep',
    publicApi: { path: '/requests/:requestId/held/keep', scope: 'requests:write' },
    summary: 'Keep objects that a completed transfer handed over for a time, as its recipient. They no longer end.',
    access: update,
    effect: 'protection',
    largestBody: largeBody,
    body: z.object({
      heldIds: z.array(rowId('Choose objects of this transfer')).check(z.minLength(1), z.maxLength(500)),
    }),
    answer: ResourceRequestDetail,
    errors: ['NOT_FOUND', 'REQUEST_STATE'],
    activity: 'Kept objects of a transfer',
  }),
  declineTransfer: endpoint({
    method: 'POST',
    path: '/api/:account/requests/:requestId/decline',
    summary: 'Decline an offered transfer as its recipient. The block is unlocked.',
    moves: requestLife.decline,
    access: update,
    effect: 'protection',
    body: z.object({ version: caseVersion, reason: severalLines(1000) }),
    answer: ResourceRequest,
    errors: stateErrors,
    activity: 'Declined a transfer',
  }),
});
