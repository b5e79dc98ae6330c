import * as z from 'zod/mini';
import { DryRun } from '../dry-run.ts';
import { endpoint, group, member } from '../endpoint.ts';
import { leftAsIs } from '../left-as-is.ts';
import { oneLine } from '../one-line.ts';
import { delegationTypes } from '../resources/resources.ts';
import { severalLines } from '../several-lines.ts';
import { listOffset, rowVersion } from '../whole-numbers.ts';
import { longText } from '../long-text.ts';

const Quantity = z.string().check(z.regex(/^\d+$/));
const visibilities = ['public', 'private'] as const;
/** Rows of one import. */
export const maxImportedAssignments = 2_000;
/** Columns of an import; `customer`, `description` and `economy` may be empty, `kind` and `visibility` too: assigned, private. */
export const assignmentColumns = ['customer', 'range', 'kind', 'visibility', 'netname', 'description', 'economy'] as const;

const Economy = z
  .string()
  .check(z.trim(), z.toUpperCase(), z.regex(/^([A-Z]{2})?$/, { error: 'Enter a two-letter country code, such as AU' }));
const Netname = z
  .string()
  .check(
    z.trim(),
    z.toUpperCase(),
    z.maxLength(80),
    z.regex(/^[A-Z]([A-Z0-9_-]*[A-Z0-9])?$/, { error: 'Enter letters, digits, - and _, such as CUST-NORTHWIND' }),
  );
const Handle = z.optional(oneLine(80));

/** The member's details of an assignment or sub-allocation. */
const Facts = {
  netname: Netname,
  customer: z._default(oneLine(200), ''),
  description: z._default(oneLine(500), ''),
  visibility: z.enum(visibilities),
  economy: z._default(Economy, ''),
  /** In whois only; defaults to what the surrounding network names. */
  adminC: Handle,
  techC: Handle,
  maintainer: Handle,
  irt: Handle,
};
export const NewCustomerAssignment = z.object({
  ...Facts,
  resource: oneLine(100).check(z.minLength(1)),
  type: z.enum(delegationTypes),
  /** May also use space that another customer gave back within the last thirty days. */
  reuse: z._default(z.boolean(), false),
});
export type NewCustomerAssignment = z.infer<typeof NewCustomerAssignment>;
export const ChangedCustomerAssignment = z.object(leftAsIs(Facts));
export type ChangedCustomerAssignment = z.infer<typeof ChangedCustomerAssignment>;

/** One assignment with the whois object that shows it. */
export const CustomerAssignment = z.object({
  assignmentId: z.string(),
  resource: z.string(),
  kind: z.enum(['ipv4', 'ipv6']),
  type: z.enum(delegationTypes),
  netname: z.string(),
  customer: z.string(),
  description: z.string(),
  visibility: z.enum(visibilities),
  economy: z.string(),
  registeredOn: z.iso.date(),
  updatedAt: z.iso.datetime(),
  /** Others lie in it. */
  holds: z.int(),
  whois: z.nullable(z.object({ class: z.string(), key: z.string(), version: rowVersion, text: z.string() })),
});
export type CustomerAssignment = z.infer<typeof CustomerAssignment>;

/** Result of a dry run of an assignment. */
export const AssignmentPreview = z.object({
  resource: z.string(),
  size: Quantity,
  type: z.enum(delegationTypes),
  netname: z.string(),
  /** The surrounding delegation, and the surrounding registration, if any. */
  delegation: z.string(),
  around: z.nullable(z.string()),
  /** The whois object of a public one, and what whois shows of the same range now. */
  whois: z.nullable(z.object({ class: z.string(), shown: z.string(), before: z.nullable(z.string()), after: z.string() })),
});
export type AssignmentPreview = z.infer<typeof AssignmentPreview>;

export const Customer = z.object({
  /** Empty: assignments that name no customer. */
  customer: z.string(),
  economies: z.array(z.string()),
  assignments: z.int(),
  publicOnes: z.int(),
  ipv4: Quantity,
  ipv6: Quantity,
  updatedAt: z.iso.datetime(),
});
export type Customer = z.infer<typeof Customer>;

const Email = z
  .string()
  .check(
    z.trim(),
    z.maxLength(254),
    z.regex(/^([^\s@]+@[^\s@]+\.[^\s@]+)?$/, { error: 'Enter an e-mail address, such as noc@example.net' }),
  );

/** A member's own record of a customer. Only its name reaches whois, as descr of public assignments without one of their own. */
const CustomerFacts = {
  name: oneLine(200).check(z.minLength(1, { error: 'Enter the customer’s name' })),
  address: z._default(severalLines(500), ''),
  economy: z._default(Economy, ''),
  contactName: z._default(oneLine(200), ''),
  phone: z._default(oneLine(50), ''),
  email: z._default(Email, ''),
  remarks: z._default(severalLines(2_000), ''),
  /** Default visibility of new assignments to this customer; private unless given. */
  visibility: z._default(z.enum(visibilities), 'private'),
};
export const CustomerDetails = z.object({
  name: z.string(),
  address: z.string(),
  economy: z.string(),
  contactName: z.string(),
  phone: z.string(),
  email: z.string(),
  remarks: z.string(),
  visibility: z.enum(visibilities),
  /** Null without a record: the name occurs in assignments only. */
  updatedAt: z.nullable(z.iso.datetime()),
  assignments: z.array(
    z.object({
      assignmentId: z.string(),
      kind: z.enum(['ipv4', 'ipv6']),
      resource: z.string(),
      netname: z.string(),
      visibility: z.enum(visibilities),
    }),
  ),
  moreAssignments: z.boolean(),
});
export type CustomerDetails = z.infer<typeof CustomerDetails>;

const view = member('whois-private-objects-view', { staff: 'private-data', accounts: 'regular-or-non-member' });
const update = member('whois-private-objects-update', { accounts: 'regular-or-non-member' });
const errors = [
  'INVALID_REQUEST',
  'ASSIGNMENT_OUTSIDE',
  'ASSIGNMENT_OVERLAPS',
  'ASSIGNMENT_RESTS',
  'RESOURCE_LOCKED',
  'NO_PERMISSION',
  'ACCOUNT_SUSPENDED',
  'ACCOUNT_RESTRICTED_IRT',
  'TOO_MANY_OBJECTS',
  'NOT_FOUND',
] as const;

export const whoisCustomers = group('customers', {
  listCustomers: endpoint({
    method: 'GET',
    path: '/api/:account/customers',
    publicApi: { path: '/customers', scope: 'customers:read' },
    summary: 'The customers of the account with what each has been given, a page at a time.',
    access: view,
    query: z.object({
      q: z._default(z.string().check(z.trim(), z.maxLength(100)), ''),
      offset: listOffset,
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500)), 50),
    }),
    answer: z.object({ rows: z.array(Customer), total: z.int() }),
  }),
  getCustomer: endpoint({
    method: 'GET',
    path: '/api/:account/customers/details',
    publicApi: { path: '/customers/details', scope: 'customers:read' },
    summary: 'What the account keeps of one customer, and what it gave to it.',
    access: view,
    query: z.object({ name: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)) }),
    answer: CustomerDetails,
    errors: ['NOT_FOUND'],
  }),
  saveCustomer: endpoint({
    method: 'PUT',
    path: '/api/:account/customers/details',
    publicApi: { path: '/customers/details', scope: 'customers:write' },
    summary:
      'Keep what is known of a customer. Another name is given to its assignments too, and to their whois objects where those show the name.',
    access: update,
    effect: 'whois',
    body: z.object({
      ...leftAsIs(CustomerFacts),
      /** The current name; the same as `name` if it doesn't change, left out for a new customer. */
      was: z.optional(oneLine(200)),
    }),
    answer: z.extend(CustomerDetails, {
      /** The task that changes the whois objects, when they are many. */
      taskId: z.nullable(z.int()),
    }),
    errors: [
      'INVALID_REQUEST',
      'NOT_FOUND',
      'CUSTOMER_EXISTS',
      'RESOURCE_LOCKED',
      'NO_PERMISSION',
      'ACCOUNT_SUSPENDED',
      'ACCOUNT_RESTRICTED_IRT',
      'TOO_MANY_TASKS',
      'TOO_MANY_OBJECTS',
    ],
    activity: 'Changed a customer',
  }),
  getAssignment: endpoint({
    method: 'GET',
    path: '/api/:account/customers/assignments/:assignmentId',
    publicApi: { path: '/customers/assignments/:assignmentId', scope: 'customers:read' },
    summary: 'One assignment of the account, with its whois object.',
    access: view,
    answer: CustomerAssignment,
    errors: ['NOT_FOUND'],
  }),
  listFreeSpace: endpoint({
    method: 'GET',
    path: '/api/:account/customers/free-space',
    publicApi: { path: '/customers/free-space', scope: 'customers:read' },
    summary: 'Free prefixes of one length in the allocations of the account, in order, and space that rests.',
    access: view,
    query: z.object({
      kind: z.enum(['ipv4', 'ipv6']),
      length: z.coerce.number().check(z.int(), z.minimum(0), z.maximum(128)),
      within: z.optional(z.string().check(z.maxLength(100))),
    }),
    answer: z.object({
      rows: z.array(z.object({ resource: z.string(), gap: z.string(), parent: z.string() })),
      /** Space that customers returned recently: it is free, but not offered for thirty days. `until`: the first day on which it is offered again. */
      resting: z.array(z.object({ resource: z.string(), customer: z.nullable(z.string()), returnedOn: z.iso.date(), until: z.iso.date() })),
    }),
    errors: ['INVALID_REQUEST'],
  }),
  previewAssignment: endpoint({
    method: 'POST',
    path: '/api/:account/customers/assignments/preview',
    publicApi: { path: '/customers/assignments/preview', scope: 'customers:write' },
    summary: 'What registering an assignment would write: the register entry and, of a public one, its whois object. Nothing is kept.',
    access: update,
    effect: 'reading',
    body: NewCustomerAssignment,
    answer: AssignmentPreview,
    errors,
    activity: 'Previewed an assignment',
  }),
  addAssignment: endpoint({
    method: 'POST',
    path: '/api/:account/customers/assignments',
    publicApi: { path: '/customers/assignments', scope: 'customers:write' },
    summary: 'Register an assignment or sub-allocation; a public one gets its whois object in the same change.',
    access: update,
    effect: 'whois',
    body: NewCustomerAssignment,
    answer: CustomerAssignment,
    errors,
    activity: 'Registered an assignment',
  }),
  changeAssignment: endpoint({
    method: 'PUT',
    path: '/api/:account/customers/assignments/:assignmentId',
    publicApi: { path: '/customers/assignments/:assignmentId', scope: 'customers:write' },
    summary: 'Change what is registered of an assignment; its whois object is made, changed or deleted with it.',
    access: update,
    effect: 'whois',
    body: ChangedCustomerAssignment,
    answer: CustomerAssignment,
    errors,
    activity: 'Changed an assignment',
  }),
  returnAssignment: endpoint({
    method: 'DELETE',
    path: '/api/:account/customers/assignments/:assignmentId',
    publicApi: { path: '/customers/assignments/:assignmentId', scope: 'customers:write' },
    summary: 'Take an assignment back: the space is free again, and its whois object goes with it.',
    access: update,
    effect: 'whois',
    errors,
    activity: 'Returned an assignment',
  }),
  importAssignments: endpoint({
    method: 'POST',
    path: '/api/:account/customers/imports',
    publicApi: { path: '/customers/imports', scope: 'customers:write' },
    summary: 'Register the assignments of a CSV file, all or none, or only preview the result.',
    access: update,
    effect: 'whois',
    largestBody: 2 * 1_000_000,
    body: z.object({
      csv: longText({ most: 1_000_000, tooLong: 'The file is larger than 1 MB. Send it in parts', empty: 'Choose a file or paste rows' }),
      dryRun: DryRun,
      /** May also use space that other customers gave back within the last thirty days. */
      reuse: z._default(z.boolean(), false),
    }),
    answer: z.object({
      /** False: nothing was stored, because it was a dry run or some row is wrong. */
      stored: z.boolean(),
      rows: z.array(
        z.object({
          line: z.int(),
          resource: z.string(),
          netname: z.string(),
          visibility: z.string(),
          /** Null: right. */
          problem: z.nullable(z.string()),
        }),
      ),
    }),
    errors,
    activity: 'Imported assignments',
  }),
});
