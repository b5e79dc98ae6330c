import { rowId } from '../row-ids.ts';
import { calendarDay } from '../calendar-day.ts';
import * as z from 'zod/mini';
import { endpoint, group } from '../endpoint.ts';
import { leftAsIs } from '../left-as-is.ts';
import { oneLine } from '../one-line.ts';
import { Quantity } from '../resources/resource-kinds.ts';
import { severalLines } from '../several-lines.ts';
import { AfterRow, NirEmail, NirWords, nirPageSize, seeNir, updateNir } from './nir-access.ts';
import { rowVersion } from '../whole-numbers.ts';

/** Months in which a closed sub-account can be opened again. */
export const reopenMonths = 12;

/** Most records of a national registry that are counted; more are shown as more than this. */
export const countedRecords = 10_000;

/** Sizes of holdings by which sub-accounts are counted and filtered: no IPv4, up to half of the policy’s limit for a member, up to the limit, and more. */
export const subaccountHoldings = ['none', 'one', 'two', 'more'] as const;
export type SubaccountHolding = (typeof subaccountHoldings)[number];

export const SubaccountName = z
  .string()
  .check(
    z.trim(),
    z.toUpperCase(),
    z.maxLength(40, { error: 'Enter at most 40 characters' }),
    z.regex(/^[A-Z0-9][A-Z0-9-]*-[A-Z]{2}$/, { error: 'Enter letters, digits and -, ending with a country code, such as NORTHNET-XX' }),
  );

/** Kinds of numbers by which sub-accounts are filtered. */
export const subaccountKinds = ['ipv6', 'no-ipv6', 'asn'] as const;

/** Filters of the list and its counts. */
const SubaccountFilter = {
  q: NirWords,
  status: z._default(z.enum(['open', 'closed', 'all']), 'all'),
  /** Only those that hold IPv6, no IPv6, or AS numbers. */
  holds: z.optional(z.enum(subaccountKinds)),
  /** Only those whose record was changed on this day (UTC) or later. */
  changedSince: z.optional(calendarDay()),
};

const SubaccountFacts = {
  name: SubaccountName,
  entityId: rowId('Choose an organisation'),
  contactName: z._default(oneLine(200), ''),
  email: z._default(NirEmail, ''),
  remarks: z._default(severalLines(2_000), ''),
};

/** A member of a national registry, with what it holds. */
export const Subaccount = z.object({
  subaccountId: z.string(),
  name: z.string(),
  entityId: z.string(),
  entity: z.string(),
  /** The organisation's name in its own script; empty if it has none. */
  entityLocalName: z.string(),
  status: z.enum(['open', 'closed']),
  delegations: z.int(),
  ipv4: Quantity,
  ipv6: Quantity,
  asns: Quantity,
  openedOn: z.iso.date(),
  closedOn: z.nullable(z.iso.date()),
  /** When its record was last changed. */
  updatedAt: z.iso.datetime(),
});
export type Subaccount = z.infer<typeof Subaccount>;

/** A row of the list. */
export const ListedSubaccount = z.extend(Subaccount, {
  /** Whois objects of its numbers: networks, AS numbers, routes and reverse zones. */
  objects: z.int(),
});
export type ListedSubaccount = z.infer<typeof ListedSubaccount>;

export const SubaccountDetails = z.extend(Subaccount, {
  contactName: z.string(),
  email: z.string(),
  remarks: z.string(),
  version: rowVersion,
  /** Requests to the registry for it that are open. */
  openRequests: z.int(),
  /** The last day on which it can be opened again; null while it is open. */
  reopenUntil: z.nullable(z.iso.date()),
});
export type SubaccountDetails = z.infer<typeof SubaccountDetails>;

export const nirSubaccounts = group('nir.subaccounts', {
  listSubaccounts: endpoint({
    method: 'GET',
    path: '/api/:account/nir/subaccounts',
    publicApi: { path: '/nir/subaccounts', scope: 'resources:read', continues: { parameter: 'after', next: 'next' } },
    summary: 'Sub-accounts of a national registry by name, with what each holds, a page at a time.',
    access: seeNir,
    query: z.object({
      ...SubaccountFilter,
      /** Only those that hold so much IPv4. */
      holding: z.optional(z.enum(subaccountHoldings)),
      after: AfterRow,
      limit: nirPageSize(200),
    }),
    answer: z.object({
      rows: z.array(ListedSubaccount),
      next: z.nullable(z.string()),
      total: z.int(),
    }),
    errors: ['INVALID_REQUEST'],
  }),
  countSubaccounts: endpoint({
    method: 'GET',
    path: '/api/:account/nir/subaccount-counts',
    summary: 'Sub-accounts of a national registry that match, by the size of their IPv4 holding and by the first character of their names.',
    access: seeNir,
    query: z.object(SubaccountFilter),
    answer: z.object({
      total: z.int(),
      holdings: z.object({ none: z.int(), one: z.int(), two: z.int(), more: z.int() }),
      /** In order of the list, each with the `after` of the page that begins with it. */
      letters: z.array(z.object({ letter: z.string(), count: z.int(), after: z.string() })),
    }),
  }),
  countRecords: endpoint({
    method: 'GET',
    path: '/api/:account/nir/record-counts',
    summary:
      'How many sub-accounts, delegations and organisations a national registry has recorded, each counted to a limit, and how much IPv4 an organisation may have.',
    access: seeNir,
    answer: z.object({
      subaccounts: z.int(),
      delegations: z.int(),
      entities: z.int(),
      /** Prefix length of the most IPv4 that one organisation may have of new delegations; 0 for no limit. */
      ipv4Limit: z.int(),
    }),
  }),
  getSubaccount: endpoint({
    method: 'GET',
    path: '/api/:account/nir/subaccounts/:subaccountId',
    publicApi: { path: '/nir/subaccounts/:subaccountId', scope: 'resources:read' },
    summary: 'One sub-account.',
    access: seeNir,
    answer: SubaccountDetails,
    errors: ['NOT_FOUND'],
  }),
  addSubaccount: endpoint({
    method: 'POST',
    path: '/api/:account/nir/subaccounts',
    publicApi: { path: '/nir/subaccounts', scope: 'customers:write' },
    summary: 'Open a sub-account for an organisation.',
    access: updateNir,
    effect: 'records',
    body: z.object(SubaccountFacts),
    answer: SubaccountDetails,
    errors: ['SUBACCOUNT_EXISTS', 'NOT_FOUND', 'ENTITY_MERGED'],
    activity: 'Opened a sub-account',
  }),
  changeSubaccount: endpoint({
    method: 'PUT',
    path: '/api/:account/nir/subaccounts/:subaccountId',
    publicApi: { path: '/nir/subaccounts/:subaccountId', scope: 'customers:write' },
    summary: 'Change the details of a sub-account.',
    access: updateNir,
    effect: 'records',
    body: z.object({ ...leftAsIs(SubaccountFacts), version: rowVersion }),
    answer: SubaccountDetails,
    errors: ['SUBACCOUNT_EXISTS', 'NOT_FOUND', 'STALE', 'ENTITY_MERGED'],
    activity: 'Changed a sub-account',
  }),
  closeSubaccount: endpoint({
    method: 'POST',
    path: '/api/:account/nir/subaccounts/:subaccountId/close',
    publicApi: { path: '/nir/subaccounts/:subaccountId/close', scope: 'customers:write' },
    summary: `Close a sub-account without resources and open requests. It can be opened again for ${reopenMonths} months.`,
    access: updateNir,
    effect: 'records',
    answer: SubaccountDetails,
    errors: ['NOT_FOUND', 'SUBACCOUNT_IN_USE'],
    activity: 'Closed a sub-account',
  }),
  reopenSubaccount: endpoint({
    method: 'POST',
    path: '/api/:account/nir/subaccounts/:subaccountId/reopen',
    publicApi: { path: '/nir/subaccounts/:subaccountId/reopen', scope: 'customers:write' },
    summary: 'Open a closed sub-account again.',
    access: updateNir,
    effect: 'records',
    answer: SubaccountDetails,
    errors: ['NOT_FOUND', 'REOPEN_TOO_LATE'],
    activity: 'Reopened a sub-account',
  }),
});
