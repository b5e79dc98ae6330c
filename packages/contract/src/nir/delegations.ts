import { rowId } from '../row-ids.ts';
import * as z from 'zod/mini';
import { AssignmentPreview } from '../customers/customers.ts';
import { DryRun } from '../dry-run.ts';
import { endpoint, group, largeBody } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';
import { Quantity, resourceKinds } from '../resources/resource-kinds.ts';
import { delegationTypes } from '../resources/resources.ts';
import { AfterRow, NirEconomy, NirWords, nirPageSize, seeNir, updateNir } from './nir-access.ts';
import { longText } from '../long-text.ts';

const SubaccountId = rowId('Choose a sub-account');
/** Rows of one import. */
export const maxImportedDelegations = 2_000;
/** Columns of an import; `kind` (assigned), `description` and `economy` may be empty, and `netname` of AS numbers. */
export const nirDelegationColumns = ['subaccount', 'resource', 'kind', 'netname', 'description', 'economy'] as const;
/** Delegations that one move can take. */
export const maxMovedDelegations = 200;

const Netname = z
  .string()
  .check(
    z.trim(),
    z.toUpperCase(),
    z.maxLength(80),
    z.regex(/^([A-Z]([A-Z0-9_-]*[A-Z0-9])?)?$/, { error: 'Enter letters, digits, - and _, such as NORTHNET-1' }),
  );

/** Resources held by a sub-account. */
export const NirDelegation = z.object({
  delegationId: z.string(),
  resource: z.string(),
  kind: z.enum(resourceKinds),
  size: Quantity,
  type: z.enum(delegationTypes),
  netname: z.string(),
  subaccountId: z.string(),
  subaccount: z.string(),
  entity: z.string(),
  /** Owner of the pool it came from. */
  pool: z.enum(['nir', 'registry']),
  delegatedOn: z.iso.date(),
});
export type NirDelegation = z.infer<typeof NirDelegation>;

/** A value for one cell of a row of an import. */
export const RowFix = z.object({ column: z.enum(['subaccount', 'resource']), value: z.string() });
export type RowFix = z.infer<typeof RowFix>;

/** A delegation out of the national registry's own pool. */
export const NewNirDelegation = z.object({
  subaccountId: SubaccountId,
  resource: oneLine(100, 1, 'Enter a prefix, range or AS number'),
  type: z._default(z.enum(delegationTypes), 'assigned'),
  /** Of addresses; AS numbers have none. */
  netname: z._default(Netname, ''),
  /** Shown in whois as descr; the organisation's name where it is empty. */
  description: z._default(oneLine(500), ''),
  economy: z._default(NirEconomy, ''),
  /** Contacts, irt and maintainer of its whois object; default to what the surrounding network names. */
  adminC: z.optional(oneLine(80)),
  techC: z.optional(oneLine(80)),
  irt: z.optional(oneLine(80)),
  /** May also use space that another sub-account gave back within the last thirty days. */
  reuse: z._default(z.boolean(), false),
});
export type NewNirDelegation = z.infer<typeof NewNirDelegation>;

const listing = {
  kind: z._default(z.enum(resourceKinds), 'ipv4'),
  subaccountId: z.optional(SubaccountId),
  q: NirWords,
};
const errors = [
  'INVALID_REQUEST',
  'NOT_FOUND',
  'SUBACCOUNT_CLOSED',
  'ASSIGNMENT_OUTSIDE',
  'ASSIGNMENT_OVERLAPS',
  'ASSIGNMENT_RESTS',
  'RESOURCE_LOCKED',
  'NO_PERMISSION',
  'ACCOUNT_SUSPENDED',
  'ACCOUNT_RESTRICTED_IRT',
  'TOO_MANY_OBJECTS',
] as const;

/** Reasons of a move between sub-accounts. */
export const moveReasons = {
  merger: 'Merger or acquisition',
  name: 'New name of the organisation',
  membership: 'Change of membership',
  market: 'Market transfer',
  correction: 'Correction of the record',
} as const;
export type MoveReason = keyof typeof moveReasons;

export const nirDelegations = group('nir.delegations', {
  listNirDelegations: endpoint({
    method: 'GET',
    path: '/api/:account/nir/delegations',
    publicApi: { path: '/nir/delegations', scope: 'resources:read', continues: { parameter: 'after', next: 'next' } },
    summary: 'What sub-accounts hold, of one kind, in the order of the numbers, a page at a time.',
    access: seeNir,
    query: z.object({ ...listing, after: AfterRow, limit: nirPageSize(200) }),
    answer: z.object({
      rows: z.array(NirDelegation),
      next: z.nullable(z.string()),
      /** Counted up to 10,000; `more` where there are others. */
      total: z.int(),
      more: z.boolean(),
    }),
    errors: ['INVALID_REQUEST'],
  }),
  exportNirDelegations: endpoint({
    method: 'GET',
    path: '/api/:account/nir/delegations/export',
    publicApi: { path: '/nir/delegations-export', scope: 'resources:read' },
    summary: 'Everything that sub-accounts hold of one kind and that matches, as a file.',
    access: seeNir,
    query: z.object({ ...listing, format: z._default(z.enum(['csv', 'json']), 'csv') }),
    answer: 'download',
  }),
  listNirFreeSpace: endpoint({
    method: 'GET',
    path: '/api/:account/nir/free-space',
    publicApi: { path: '/nir/free-space', scope: 'resources:read' },
    summary:
      'What of the national registry’s own pool is free and has the size, best first: the tightest hole of IPv4, the middle of the largest gap of IPv6, the lowest AS number.',
    access: seeNir,
    query: z.object({
      kind: z.enum(resourceKinds),
      length: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(128)), 24),
    }),
    answer: z.array(z.object({ resource: z.string(), why: z.string() })),
    errors: ['INVALID_REQUEST'],
  }),
  previewNirDelegation: endpoint({
    method: 'POST',
    path: '/api/:account/nir/delegations/preview',
    publicApi: { path: '/nir/delegations/preview', scope: 'customers:write' },
    summary: 'What a delegation would write: the register entry and its whois object. Nothing is kept.',
    access: updateNir,
    effect: 'reading',
    body: NewNirDelegation,
    answer: z.extend(AssignmentPreview, {
      kind: z.enum(resourceKinds),
      subaccount: z.string(),
      /** IPv4 addresses that the organisation has with this delegation, in all its sub-accounts, and the most it may have; null for other kinds. */
      organisation: z.nullable(z.object({ addresses: Quantity, limit: Quantity })),
    }),
    errors,
    activity: 'Previewed a delegation to a sub-account',
  }),
  addNirDelegation: endpoint({
    method: 'POST',
    path: '/api/:account/nir/delegations',
    publicApi: { path: '/nir/delegations', scope: 'customers:write' },
    summary: 'Delegate out of the national registry’s own pool to a sub-account; addresses get their whois object in the same change.',
    access: updateNir,
    effect: 'whois',
    body: NewNirDelegation,
    answer: NirDelegation,
    errors,
    activity: 'Delegated to a sub-account',
  }),
  returnNirDelegation: endpoint({
    method: 'DELETE',
    path: '/api/:account/nir/delegations/:delegationId',
    publicApi: { path: '/nir/delegations/:delegationId', scope: 'customers:write' },
    summary: 'Take a delegation back into the national registry’s pool, where it rests for thirty days. Its whois object is deleted.',
    access: updateNir,
    effect: 'whois',
    errors,
    activity: 'Returned a delegation of a sub-account',
  }),
  importNirDelegations: endpoint({
    method: 'POST',
    path: '/api/:account/nir/delegations/imports',
    publicApi: { path: '/nir/delegations/imports', scope: 'customers:write' },
    summary: 'Delegate what a CSV file lists, all or none, or only say what would come of it.',
    access: updateNir,
    effect: 'whois',
    largestBody: 2 * 1_000_000,
    body: z.object({
      csv: longText({ most: 1_000_000, tooLong: 'The file is larger than 1 MB. Send it in parts', empty: 'Choose a file or paste rows' }),
      dryRun: DryRun,
      reuse: z._default(z.boolean(), false),
    }),
    answer: z.object({
      /** False: nothing was stored, because it was a dry run or some row is wrong. */
      stored: z.boolean(),
      rows: z.array(
        z.object({
          line: z.int(),
          subaccount: z.string(),
          resource: z.string(),
          netname: z.string(),
          /** Null: right. */
          problem: z.nullable(z.string()),
          /** A value that would be right, where the row is wrong and there is one. */
          fix: z.nullable(RowFix),
        }),
      ),
    }),
    errors,
    activity: 'Imported delegations to sub-accounts',
  }),
  moveNirDelegations: endpoint({
    method: 'POST',
    path: '/api/:account/nir/moves',
    publicApi: { path: '/nir/moves', scope: 'customers:write' },
    summary: `Move what one sub-account holds to another, or only say what would change: all or nothing, at most ${maxMovedDelegations} at a time.`,
    access: updateNir,
    effect: ['holding', 'whois'],
    largestBody: largeBody,
    body: z.object({
      from: SubaccountId,
      to: SubaccountId,
      delegationIds: z.array(rowId()).check(z.minLength(1, { error: 'Choose at least one delegation' }), z.maxLength(maxMovedDelegations)),
      reason: z.enum(Object.keys(moveReasons) as [MoveReason, ...MoveReason[]], { error: 'Choose a reason' }),
      note: z._default(oneLine(500), ''),
      /** Closes the source when nothing is left in it. */
      closeSource: z._default(z.boolean(), false),
      dryRun: DryRun,
    }),
    answer: z.object({
      stored: z.boolean(),
      closed: z.boolean(),
      rows: z.array(
        z.object({
          delegationId: z.string(),
          resource: z.string(),
          /** The description in whois before and after; null where whois does not change. */
          before: z.nullable(z.string()),
          after: z.nullable(z.string()),
        }),
      ),
    }),
    errors: [...errors, 'SUBACCOUNT_IN_USE'],
    activity: 'Moved delegations between sub-accounts',
  }),
});
