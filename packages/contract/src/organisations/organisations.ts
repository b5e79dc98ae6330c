import * as z from 'zod/mini';
import { Email } from '../email.ts';
import { endpoint, group, member, staff } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';
import { PhoneNumber } from '../phone.ts';
import { severalLines } from '../several-lines.ts';
import { OrganisationChange, organisationTypes } from './changes.ts';
import { AccountClosure } from './closures.ts';
import { rowVersion } from '../whole-numbers.ts';

/** An address, or none. */
const EmailOrNone = z.string().check(z.trim(), z.maxLength(254, { error: 'Enter a valid email address', abort: true }), input => {
  if (input.value === '') return;
  const result = z.safeParse(Email, input.value);
  if (!result.success) input.issues.push({ code: 'custom', message: result.error.issues[0]!.message, input: input.value });
});

const websiteWords = 'Enter an address that starts with https:// or http://, such as https://example.net';
const Website = oneLine(255).check(
  z.refine(
    address => {
      if (address === '') return true;
      if (!/^https?:\/\/[^\s\\]+$/i.test(address) || !URL.canParse(address)) return false;
      const { hostname, username, password } = new URL(address);
      return username === '' && password === '' && (hostname.includes('.') || hostname.startsWith('['));
    },
    { error: websiteWords },
  ),
);

const addressLines = (most: number) =>
  z
    .array(oneLine(100).check(z.minLength(1, { error: 'Remove empty lines from the address' })))
    .check(z.maxLength(most, { error: `Enter the address in at most ${most} lines` }));

/** Details that a member changes without approval. An empty text means none. */
export const organisationDetails = {
  /** Street or post box, a line each. */
  postalAddress: addressLines(4).check(z.minLength(1, { error: 'Enter at least one line, such as street and number' })),
  city: oneLine(100),
  region: oneLine(100),
  postcode: oneLine(16).check(
    z.regex(/^[\p{L}\p{N} -]*$/u, { error: 'Enter a postcode of letters, digits, spaces and hyphens, such as 4101' }),
  ),
  phone: PhoneNumber,
  fax: PhoneNumber,
  website: Website,
  abuseEmail: EmailOrNone,
  /** Whole address for invoices; none where it is the postal address. */
  billingAddress: addressLines(6),
  billingEmail: EmailOrNone,
  /** Purchase order number that invoices show. */
  poNumber: oneLine(40),
} as const;
export type DetailField = keyof typeof organisationDetails;
export const detailFields = Object.keys(organisationDetails) as DetailField[];

/** Everything the registry and its member keep about an organisation. */
export const Organisation = z.object({
  accountName: z.string(),
  /** Grows with every change; a change of what was read earlier is refused with 412 STALE. */
  version: rowVersion,
  orgName: z.string(),
  registrationNumber: z.string(),
  organisationType: z.nullable(z.enum(organisationTypes)),
  /** ISO 3166 alpha-2; changed by registry staff only. */
  economy: z.nullable(z.string()),
  postalAddress: z.array(z.string()),
  city: z.string(),
  region: z.string(),
  postcode: z.string(),
  phone: z.string(),
  fax: z.string(),
  website: z.string(),
  abuseEmail: z.string(),
  billingAddress: z.array(z.string()),
  billingEmail: z.string(),
  poNumber: z.string(),
  /** Delegations the account holds. */
  delegations: z.int(),
  /** Changes that wait for the registry's decision, at most one a field. */
  changes: z.array(OrganisationChange),
  /** The latest request to end the account. */
  closure: z.nullable(AccountClosure),
});
export type Organisation = z.infer<typeof Organisation>;

const { postalAddress, city, region, postcode, phone, fax, website, abuseEmail, billingAddress, billingEmail, poNumber } =
  organisationDetails;
/** Omitted fields stay as they are. */
const OrganisationUpdate = z.object({
  version: rowVersion,
  postalAddress: z.optional(postalAddress),
  city: z.optional(city),
  region: z.optional(region),
  postcode: z.optional(postcode),
  phone: z.optional(phone),
  fax: z.optional(fax),
  website: z.optional(website),
  abuseEmail: z.optional(abuseEmail),
  billingAddress: z.optional(billingAddress),
  billingEmail: z.optional(billingEmail),
  poNumber: z.optional(poNumber),
});
export type OrganisationUpdate = z.infer<typeof OrganisationUpdate>;

export const organisations = group('organisations', {
  getOrganisation: endpoint({
    method: 'GET',
    path: '/api/:account/organisation',
    publicApi: { path: '/organisation', scope: 'account:read' },
    summary: 'Details of the organisation, what the registry has yet to decide about it, and the latest request to end the account.',
    access: member('contacts-details-view', { staff: true }),
    answer: Organisation,
  }),
  updateOrganisation: endpoint({
    method: 'PATCH',
    path: '/api/:account/organisation',
    summary:
      'Change what the member keeps itself: addresses, telephone, website, abuse contact, billing details. It takes effect immediately.',
    access: member('member-details-update'),
    effect: 'control',
    body: OrganisationUpdate,
    answer: Organisation,
    errors: ['STALE'],
    activity: 'Changed the organisation’s details',
  }),
  setEconomy: endpoint({
    method: 'POST',
    path: '/api/staff/organisations/:accountName/economy',
    summary: 'Change the economy of an account, as registry staff.',
    access: staff('memberships'),
    effect: 'control',
    body: z.object({
      version: rowVersion,
      economy: z.string().check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z]{2}$/, { error: 'Enter a two-letter country code, such as AU' })),
      reason: severalLines(500, 1),
    }),
    answer: Organisation,
    errors: ['SECOND_PERSON', 'NOT_FOUND', 'STALE', 'ACCOUNT_CLOSED', 'OWN_REQUEST'],
    activity: 'Changed the economy of the account',
    secondPerson: 'always',
  }),
});
