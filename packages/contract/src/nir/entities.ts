import { rowId } from '../row-ids.ts';
import * as z from 'zod/mini';
import { endpoint, group } from '../endpoint.ts';
import { leftAsIs } from '../left-as-is.ts';
import { oneLine } from '../one-line.ts';
import { severalLines } from '../several-lines.ts';
import { AfterRow, NirEconomy, NirEmail, NirWords, nirPageSize, seeNir, updateNir } from './nir-access.ts';
import { rowVersion } from '../whole-numbers.ts';
import { longText } from '../long-text.ts';

/** Days in which a merge can be undone. */
export const unmergeDays = 30;

/** Record of an organisation at a national registry. */
const EntityFacts = {
  /** In English, as whois shows it. */
  name: oneLine(200, 1, 'Enter the organisation’s name'),
  localName: z._default(oneLine(200), ''),
  registrationNumber: z._default(oneLine(60), ''),
  address: z._default(severalLines(500), ''),
  economy: z._default(NirEconomy, ''),
  phone: z._default(
    z
      .string()
      .check(
        z.trim(),
        z.maxLength(50),
        z.regex(/^(\+[\d ()-]{5,})?$/, { error: 'Enter a number with its country code, such as +61 7 5550 0100' }),
      ),
    '',
  ),
  email: z._default(NirEmail, ''),
  /** The person, role or organisation object that shows it in whois. */
  handle: z._default(oneLine(60).check(z.toUpperCase()), ''),
  remarks: z._default(severalLines(2_000), ''),
};

export const NewNirEntity = z.object(EntityFacts);
/** Columns of an import: all but `name` may be empty or left out. */
export const entityColumns = [
  'name',
  'localName',
  'registrationNumber',
  'address',
  'economy',
  'phone',
  'email',
  'handle',
  'remarks',
] as const;
/** Rows of one import. */
export const maxImportedEntities = 2_000;

export const NirEntity = z.object({
  entityId: z.string(),
  name: z.string(),
  localName: z.string(),
  registrationNumber: z.string(),
  economy: z.string(),
  handle: z.string(),
  /** Sub-accounts, open and closed. */
  subaccounts: z.int(),
  updatedAt: z.iso.datetime(),
});
export type NirEntity = z.infer<typeof NirEntity>;

/** One value that differs between the record and its whois object. Case, punctuation of addresses and everything but digits of phones don't count. */
export const EntityDrift = z.object({ attribute: z.string(), record: z.string(), whois: z.string() });
export type EntityDrift = z.infer<typeof EntityDrift>;

export const NirEntityDetails = z.extend(NirEntity, {
  address: z.string(),
  phone: z.string(),
  email: z.string(),
  remarks: z.string(),
  version: rowVersion,
  members: z.array(z.object({ subaccountId: z.string(), name: z.string(), status: z.enum(['open', 'closed']) })),
  /** Null where the record names no object, or there is none of that name. */
  whois: z.nullable(z.object({ class: z.string(), key: z.string(), drift: z.array(EntityDrift) })),
  /** Duplicates that were merged into it and can be separated again. */
  merged: z.array(z.object({ entityId: z.string(), name: z.string(), mergedAt: z.iso.datetime(), until: z.iso.date() })),
  /** It was merged into this one. */
  mergedInto: z.nullable(z.object({ entityId: z.string(), name: z.string() })),
  /** Warning in words that its sub-accounts together hold more of the registry's last pool than the limit. */
  warning: z.nullable(z.string()),
});
export type NirEntityDetails = z.infer<typeof NirEntityDetails>;

export const nirEntities = group('nir.entities', {
  listEntities: endpoint({
    method: 'GET',
    path: '/api/:account/nir/entities',
    publicApi: { path: '/nir/entities', scope: 'resources:read', continues: { parameter: 'after', next: 'next' } },
    summary: 'Organisations behind the sub-accounts of a national registry, by name, a page at a time.',
    access: seeNir,
    query: z.object({ q: NirWords, after: AfterRow, limit: nirPageSize(200) }),
    answer: z.object({ rows: z.array(NirEntity), next: z.nullable(z.string()), total: z.int() }),
    errors: ['INVALID_REQUEST'],
  }),
  getEntity: endpoint({
    method: 'GET',
    path: '/api/:account/nir/entities/:entityId',
    publicApi: { path: '/nir/entities/:entityId', scope: 'resources:read' },
    summary: 'One organisation with its sub-accounts, and where its whois object differs.',
    access: seeNir,
    answer: NirEntityDetails,
    errors: ['NOT_FOUND'],
  }),
  addEntity: endpoint({
    method: 'POST',
    path: '/api/:account/nir/entities',
    publicApi: { path: '/nir/entities', scope: 'customers:write' },
    summary: 'Record an organisation.',
    access: updateNir,
    effect: 'records',
    body: z.object(EntityFacts),
    answer: NirEntityDetails,
    activity: 'Added an organisation of a national registry',
  }),
  changeEntity: endpoint({
    method: 'PUT',
    path: '/api/:account/nir/entities/:entityId',
    publicApi: { path: '/nir/entities/:entityId', scope: 'customers:write' },
    summary: 'Change what is recorded of an organisation. Whois follows when it is updated from the record.',
    access: updateNir,
    effect: 'records',
    body: z.object({ ...leftAsIs(EntityFacts), version: rowVersion }),
    answer: NirEntityDetails,
    errors: ['NOT_FOUND', 'STALE', 'ENTITY_MERGED'],
    activity: 'Changed an organisation of a national registry',
  }),
  importEntities: endpoint({
    method: 'POST',
    path: '/api/:account/nir/entities/imports',
    summary: 'Record the organisations that a CSV file lists, all or none. A dry run says what is wrong with each line.',
    publicApi: { path: '/nir/entities/imports', scope: 'customers:write' },
    access: updateNir,
    effect: 'records',
    largestBody: 4 * 1024 * 1024,
    body: z.object({
      csv: longText({ most: 3_000_000, tooLong: 'The file is larger than 3 MB. Send it in parts', empty: 'Choose a file or paste rows' }),
      dryRun: z.boolean(),
    }),
    answer: z.object({
      stored: z.boolean(),
      rows: z.array(
        z.object({ line: z.int(), name: z.string(), registrationNumber: z.string(), economy: z.string(), problem: z.nullable(z.string()) }),
      ),
    }),
    errors: ['INVALID_REQUEST'],
    activity: 'Imported organisations of a national registry',
  }),
  deleteEntity: endpoint({
    method: 'DELETE',
    path: '/api/:account/nir/entities/:entityId',
    publicApi: { path: '/nir/entities/:entityId', scope: 'customers:write' },
    summary: 'Delete the record of an organisation without sub-accounts.',
    access: updateNir,
    effect: 'records',
    errors: ['NOT_FOUND', 'ENTITY_IN_USE'],
    activity: 'Deleted an organisation of a national registry',
  }),
  mergeEntity: endpoint({
    method: 'POST',
    path: '/api/:account/nir/entities/:entityId/merge',
    publicApi: { path: '/nir/entities/:entityId/merge', scope: 'customers:write' },
    summary: `Merge a duplicate into another organisation: its sub-accounts go there. Can be undone within ${unmergeDays} days.`,
    access: updateNir,
    effect: ['holding', 'whois'],
    body: z.object({ into: rowId('Choose an organisation') }),
    answer: NirEntityDetails,
    errors: ['NOT_FOUND', 'ENTITY_MERGED', 'INVALID_REQUEST'],
    activity: 'Merged organisations of a national registry',
  }),
  unmergeEntity: endpoint({
    method: 'POST',
    path: '/api/:account/nir/entities/:entityId/unmerge',
    publicApi: { path: '/nir/entities/:entityId/unmerge', scope: 'customers:write' },
    summary: 'Separate a merged organisation again; the sub-accounts it brought go back.',
    access: updateNir,
    effect: ['holding', 'whois'],
    answer: NirEntityDetails,
    errors: ['NOT_FOUND', 'UNMERGE_TOO_LATE'],
    activity: 'Separated organisations of a national registry',
  }),
  pushEntity: endpoint({
    method: 'POST',
    path: '/api/:account/nir/entities/:entityId/whois',
    publicApi: { path: '/nir/entities/:entityId/whois', scope: 'customers:write' },
    summary: 'Write what is recorded of an organisation into its whois object.',
    access: updateNir,
    effect: 'whois',
    errors: ['NOT_FOUND', 'INVALID_REQUEST', 'NO_PERMISSION', 'ACCOUNT_SUSPENDED', 'ACCOUNT_RESTRICTED_IRT', 'TOO_MANY_OBJECTS'],
    answer: NirEntityDetails,
    activity: 'Updated the whois object of an organisation',
  }),
});
