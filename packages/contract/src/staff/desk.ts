import * as z from 'zod/mini';
import { Account } from '../accounts/accounts.ts';
import { ActivityLine } from '../activity-log/activity-log.ts';
import { endpoint, group, staff } from '../endpoint.ts';
import { casePermissions, type StaffPermission } from '../staff-permissions.ts';
import { contactTypes } from '../permissions.ts';
import { resourceKinds } from '../resources/resource-kinds.ts';
import { EarlierRiskMark, RiskMark } from './risk-marks.ts';
import { rowVersion } from '../whole-numbers.ts';

/** Kinds of requests that the registry decides, by their name in the address of the queue. */
export const deskKinds = {
  applications: 'Membership applications',
  contacts: 'Corporate contacts',
  organisations: 'Organisation changes',
  closures: 'Account closures',
  resources: 'Requests for resources',
  transfers: 'Transfers and returns',
} as const;
export type DeskKind = keyof typeof deskKinds;
export const deskKindNames = Object.keys(deskKinds) as [DeskKind, ...DeskKind[]];

/** Who decides which kind of request: each sees those that they decide. */
export const deskKindPermissions: Readonly<Record<DeskKind, StaffPermission>> = {
  applications: 'memberships',
  contacts: 'memberships',
  organisations: 'memberships',
  closures: 'memberships',
  resources: 'resources',
  transfers: 'transfers',
};

/** States of a request, whatever it asks for: the first three are open (`needs-info`: it waits for the member), the others are closed. */
export const deskStates = ['submitted', 'in-review', 'needs-info', 'approved', 'rejected', 'withdrawn'] as const;
/** States in which a request waits. */
export const deskOpenStates = ['submitted', 'in-review', 'needs-info'] as const;

/** Columns that the queue can be sorted by: the time it was sent, the day that was promised, the person who has it. */
export const deskSorts = ['at', 'due', 'handler'] as const;

/** Ages of the queue, in days since a request was sent; `late` counts those that have waited longer than promised. */
export const deskAges = ['0', '2', '7', '30', 'late'] as const;
/** Choices of a handler in the queue: `mine` are those that the caller has, `none` those that are free to take, `second` those that were approved once and wait for a second person. */
export const deskHandlers = ['any', 'mine', 'none', 'second'] as const;

/** The approval of a colleague, or of the reader, that waits for a second person. */
export const SecondApproval = z.object({
  proposedBy: z.string(),
  isMine: z.boolean(),
  /** The reader can be the second person. */
  mayConfirm: z.boolean(),
});
export type SecondApproval = z.infer<typeof SecondApproval>;

/** One request in the queue of registry staff, whatever it asks for; its own call reads the rest. */
export const DeskRequest = z.object({
  kind: z.enum(deskKindNames),
  requestId: z.string(),
  /** Quoted in mails; null where they name the person instead. */
  reference: z.nullable(z.string()),
  /** Null while there is no account yet. */
  accountName: z.nullable(z.string()),
  orgName: z.string(),
  /** The request in words. */
  asked: z.string(),
  state: z.enum(deskStates),
  requestedBy: z.string(),
  requestedAt: z.iso.datetime(),
  resolvedBy: z.nullable(z.string()),
  resolvedAt: z.nullable(z.iso.datetime()),
  /** Who of the registry has it; null where no one took it yet. */
  handler: z.nullable(z.string()),
  /** When the registry promised to answer; null if it waits for someone else, is closed, or nothing was promised. */
  dueAt: z.nullable(z.iso.datetime()),
  /** It has waited for the registry longer than promised. */
  late: z.boolean(),
  /** It was approved once and waits for a second person; null otherwise. */
  second: z.nullable(SecondApproval),
});
export type DeskRequest = z.infer<typeof DeskRequest>;

const SheetContact = z.object({
  contactId: z.string(),
  fullName: z.string(),
  email: z.string(),
  phone: z.string(),
  contactTypes: z.array(z.enum(contactTypes)),
  status: z.string(),
  hasLogin: z.boolean(),
  hasSecondFactor: z.boolean(),
  /** The second factor is a passkey, or one of them is. */
  hasPasskey: z.boolean(),
  /** Casts the votes of the account. */
  votes: z.boolean(),
  /** Gets in with a password and nothing else; not one who signs in at an identity provider. */
  passwordAlone: z.boolean(),
  /** When the login was made here: no sign-in before is known. Null without a login. */
  loginSince: z.nullable(z.iso.datetime()),
  lastSignInAt: z.nullable(z.iso.datetime()),
});

/** One account on one screen, for registry staff. */
export const AccountSheet = z.object({
  account: z.pick(Account, {
    accountName: true,
    accountStatus: true,
    accountType: true,
    nir: true,
    orgName: true,
    economy: true,
    memberSince: true,
    expiryDate: true,
  }),
  /** Version of the organisation that a change is checked against. */
  version: rowVersion,
  registrationNumber: z.string(),
  organisationType: z.nullable(z.string()),
  /** Corporate contacts first; at most a hundred, `contactCount` counts all. */
  contacts: z.array(SheetContact),
  contactCount: z.int(),
  /** People who ask to become contacts, or whom contacts ask to add, the oldest first; at most twenty. */
  asking: z.array(
    z.object({ requestId: z.string(), name: z.string(), contactTypes: z.array(z.enum(contactTypes)), askedAt: z.iso.datetime() }),
  ),
  resources: z.array(z.object({ kind: z.enum(resourceKinds), delegations: z.int(), size: z.string(), used: z.string() })),
  requests: z.array(DeskRequest),
  activities: z.array(ActivityLine),
  at: z.iso.datetime(),
  /** That day in the registry’s time zone. */
  today: z.iso.date(),
  /** Risk marks that registry staff set, in force today; null for a contact of the account, who is never shown them. */
  marks: z.nullable(z.array(RiskMark)),
  /** Marks that are over, the latest first, for as long as they are kept; null for a contact of the account. */
  earlierMarks: z.nullable(z.array(EarlierRiskMark)),
  /** The caller is a contact of the account: others decide about it. */
  own: z.boolean(),
});
export type AccountSheet = z.infer<typeof AccountSheet>;

/** A person with a login, or a contact without one, and the accounts they are a contact of. */
export const FoundPerson = z.object({
  /** Null for a contact without a login. */
  loginId: z.nullable(z.string()),
  fullName: z.string(),
  email: z.string(),
  hasSecondFactor: z.boolean(),
  staff: z.boolean(),
  disabled: z.boolean(),
  /** The login is frozen until registry staff unfreeze it. */
  frozen: z.boolean(),
  accounts: z.array(
    z.object({ accountName: z.string(), orgName: z.string(), contactTypes: z.array(z.enum(contactTypes)), status: z.string() }),
  ),
});
export type FoundPerson = z.infer<typeof FoundPerson>;

const offset = z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)), 0);
const limit = z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20);

/** Endpoints of the registry staff app. */
export const desk = group('staff.desk', {
  findPeople: endpoint({
    method: 'POST',
    path: '/api/staff/people',
    summary:
      'People over all accounts by the beginning of an e-mail address or a part of a name. Searches are logged as access to personal data.',
    access: staff(['accounts', 'audit']),
    effect: 'reading',
    body: z.object({
      q: z.string().check(z.trim(), z.minLength(3, { error: 'Enter at least 3 characters' }), z.maxLength(254)),
      offset: z._default(z.int().check(z.minimum(0), z.maximum(1_000_000)), 0),
      limit: z._default(z.int().check(z.minimum(1), z.maximum(100)), 20),
    }),
    answer: z.object({ people: z.array(FoundPerson), more: z.boolean() }),
    activity: 'Searched for a person',
  }),
  getAccountSheet: endpoint({
    method: 'GET',
    path: '/api/staff/accounts/:accountName',
    summary: 'Any account on one screen: state, organisation, contacts, resources in sums, open requests, latest activity.',
    access: staff('accounts'),
    answer: AccountSheet,
    errors: ['NOT_FOUND'],
  }),
  listRequests: endpoint({
    method: 'GET',
    path: '/api/staff/requests',
    summary:
      'What members ask the registry to decide, over all accounts and kinds, with who has it and until when it is promised: what waits oldest first, the others newest first, or sorted.',
    access: staff(casePermissions),
    query: z.object({
      kind: z.optional(z.enum(deskKindNames)),
      status: z._default(z.enum(['waiting', 'decided', ...deskStates]), 'waiting'),
      /** Only those asked for at least as many days ago. */
      days: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(3650)), 0),
      /** `only`: those that have waited for the registry longer than promised. */
      late: z._default(z.enum(['any', 'only']), 'any'),
      handler: z._default(z.enum(deskHandlers), 'any'),
      /** Also the order of equal rows and the default: open ones oldest first, the others newest first. Those without a day come last. */
      sort: z._default(z.enum(deskSorts), 'at'),
      direction: z._default(z.enum(['asc', 'desc']), 'asc'),
      /** Part of an account, an organisation, a reference, a person, who has it, or what is asked for. */
      q: z._default(z.string().check(z.maxLength(100)), ''),
      offset,
      limit,
    }),
    answer: z.object({
      rows: z.array(DeskRequest),
      total: z.int(),
      /** Open requests per kind, regardless of the filters. */
      waiting: z.object({
        applications: z.int(),
        contacts: z.int(),
        organisations: z.int(),
        closures: z.int(),
        resources: z.int(),
        transfers: z.int(),
      } satisfies Record<DeskKind, unknown>),
      /** Open requests that have waited longer than promised, regardless of the filters. */
      late: z.int(),
      /** How many requests each choice of a filter would show, with the other filters as they are. Closed states are not counted. */
      counts: z.object({
        kinds: z.record(z.enum(['all', ...deskKindNames]), z.int()),
        states: z.record(z.enum(['waiting', ...deskOpenStates]), z.int()),
        ages: z.record(z.enum(deskAges), z.int()),
        handlers: z.record(z.enum(deskHandlers), z.int()),
      }),
    }),
  }),
});
