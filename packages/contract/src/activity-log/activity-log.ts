import * as z from 'zod/mini';
import { calendarDay } from '../calendar-day.ts';
import { endpoint, group, member } from '../endpoint.ts';

/**
 * The activity log of an account (S31).
 *
 * Included: every change made in the account or about it, and every refused attempt at one, by contacts, registry staff, the system and people
 * who ask to join. Not included: reading, also by registry staff; mail and notifications sent along; and sign-ins, passwords and second factors, which belong to a
 * person and not to an account: each person sees their own in the history of their login.
 */

/** Subjects of activities, with their labels on the screen. */
export const activityCategories = {
  contacts: 'Contacts',
  permissions: 'Permissions',
  account: 'Organisation and account',
  resources: 'Resources',
  whois: 'Whois',
  billing: 'Billing',
  documents: 'Documents',
  'sign-in': 'Sign-in',
  system: 'System',
} as const;
export type ActivityCategory = keyof typeof activityCategories;
const categories = Object.keys(activityCategories) as [ActivityCategory, ...ActivityCategory[]];

/** A current or former contact of the account, a person who asks to become one, registry staff, or the system itself. */
export const activityActors = ['contact', 'person', 'staff', 'system'] as const;

/** Most lines of one page. */
export const activityPage = 200;

/** Days of one proof at most. */
export const proofDays = 92;

export const ActivityLine = z.object({
  activityId: z.int(),
  at: z.iso.datetime(),
  actor: z.object({
    kind: z.enum(activityActors),
    /** The name of a staff member is shown to registry staff only; members read "Registry staff". */
    name: z.string(),
    contactId: z.nullable(z.string()),
  }),
  /** Such as `contacts.inviteContact`. */
  action: z.string(),
  /** The action in words: "Invite a contact". */
  what: z.string(),
  category: z.enum(categories),
  /** The person or thing acted on; empty where the summary says it. */
  object: z.string(),
  /** Summary stored when it happened; for a refused attempt, what was attempted. */
  summary: z.string(),
  result: z.enum(['done', 'refused']),
  /** Error code and message; refused attempts only. */
  refusal: z.nullable(z.object({ code: z.string(), words: z.string() })),
  /** The caller's IP address; null for the system, and of registry staff for members. */
  address: z.nullable(z.string()),
  /** True if the session had a second factor; null without a session. */
  secondFactor: z.nullable(z.boolean()),
  traceId: z.string(),
});
export type ActivityLine = z.infer<typeof ActivityLine>;

const Value = z.nullable(z.array(z.string()));
/** A row that was added, changed or removed, in words; of a change only the columns that changed. */
export const ActivityChange = z.object({
  rowChangeId: z.int(),
  operation: z.enum(['added', 'changed', 'removed']),
  /** "Contact", "Delegation". */
  what: z.string(),
  /** Which one: a name, a prefix. */
  name: z.string(),
  columns: z.array(
    z.object({
      label: z.string(),
      shape: z.enum(['text', 'list', 'time', 'date']),
      /** One value, or those of a list; null where there is none. */
      before: Value,
      after: Value,
    }),
  ),
});
export type ActivityChange = z.infer<typeof ActivityChange>;

export const ActivityDetail = z.object({
  line: ActivityLine,
  changes: z.array(ActivityChange),
  /** There are more changed rows than are shown. */
  more: z.boolean(),
  /** Changed rows left out because the reader lacks a permission to see them, by its name. */
  withheld: z.array(z.object({ permission: z.string(), rows: z.int() })),
  /** Changed rows that were deleted since, because their time was over: the log no longer has what was in them. */
  forgotten: z.int(),
  /** Its seal in the chain of hashes; null until it is sealed, a minute or so later. */
  seal: z.nullable(z.object({ at: z.iso.datetime(), hash: z.string() })),
});

const Filters = {
  /**
   * First and last day, in the registry's time zone, at most 12 months apart. Without them the last 30 days; with one of them 30 days
   * from or up to it.
   */
  from: z.optional(calendarDay()),
  to: z.optional(calendarDay()),
  /** A contact's id, or one of the other kinds of actors. */
  actor: z.optional(
    z
      .string()
      .check(
        z.regex(
          /^(person|staff|system|helper|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
          'a contact id, person, staff, helper or system',
        ),
      ),
  ),
  category: z.optional(z.enum(categories)),
  result: z.optional(z.enum(['done', 'refused'])),
  /** Part of the summary or the object, or a whole trace id or address. */
  q: z._default(z.string().check(z.maxLength(100)), ''),
};
const Id = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER));

const access = member('member-account-access-logs-view', { staff: true });

export const activityLog = group('activityLog', {
  listActivities: endpoint({
    method: 'GET',
    path: '/api/:account/activity-log',
    publicApi: {
      path: '/activity',
      scope: 'activity:read',
      continues: { parameter: 'before', entries: 'lines', id: 'activityId', more: 'older' },
    },
    summary:
      'The activity log of the account, newest first. A page ends where `before` of the next one begins, so lines added meanwhile move nothing.',
    access,
    query: z.object({
      ...Filters,
      /** Only lines older than this one. */
      before: z.optional(Id),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(activityPage)), 50),
    }),
    answer: z.object({ lines: z.array(ActivityLine), older: z.boolean() }),
    errors: ['INVALID_REQUEST'],
  }),
  listDays: endpoint({
    method: 'GET',
    path: '/api/:account/activity-log/days',
    summary: 'How many activities each day had, in the registry’s time zone, days without any included.',
    access,
    query: z.object(Filters),
    answer: z.object({
      timeZone: z.string(),
      days: z.array(z.object({ day: z.iso.date(), done: z.int(), refused: z.int() })),
    }),
    errors: ['INVALID_REQUEST'],
  }),
  countNewer: endpoint({
    method: 'GET',
    path: '/api/:account/activity-log/newer',
    summary: 'How many lines that match were added after the given one, counted to 100.',
    access,
    query: z.object({ ...Filters, after: Id }),
    answer: z.object({ lines: z.int() }),
    errors: ['INVALID_REQUEST'],
  }),
  getActivityLog: endpoint({
    method: 'GET',
    path: '/api/:account/activity-log/about',
    summary: 'Who can stand in the log as a contact, since when there is one, and up to where it is sealed.',
    access,
    answer: z.object({
      /** Contacts of the account, former ones too, by name. */
      contacts: z.array(z.object({ contactId: z.string(), name: z.string(), former: z.boolean() })),
      since: z.nullable(z.iso.datetime()),
      /** The newest line of the account that is in the chain of hashes, and when it was put there. */
      sealed: z.nullable(z.object({ activityId: z.int(), at: z.iso.datetime() })),
    }),
  }),
  exportActivities: endpoint({
    method: 'GET',
    path: '/api/:account/activity-log/export',
    publicApi: { path: '/activity-export', scope: 'activity:read' },
    summary: 'All lines that match, as CSV or JSON.',
    access,
    query: z.object({ ...Filters, format: z.enum(['csv', 'json']) }),
    answer: 'download',
    errors: ['INVALID_REQUEST'],
  }),
  exportLogProof: endpoint({
    method: 'GET',
    path: '/api/:account/activity-log/proof',
    publicApi: { path: '/activity-proof', scope: 'activity:read' },
    summary:
      'The lines of a period of at most 92 days, each with the hashes that prove it against the published roots of the log, as JSON. `/log` has the roots and a program that compares them.',
    access,
    query: z.object({ from: Filters.from, to: Filters.to }),
    answer: 'download',
    errors: ['INVALID_REQUEST'],
  }),
  getActivity: endpoint({
    method: 'GET',
    path: '/api/:account/activity-log/:activityId',
    publicApi: { path: '/activity/:activityId', scope: 'activity:read' },
    summary: 'One line with the rows of the account it changed, before and after.',
    access,
    answer: ActivityDetail,
    errors: ['NOT_FOUND'],
  }),
});
