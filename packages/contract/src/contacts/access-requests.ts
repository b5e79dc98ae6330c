import { rowId } from '../row-ids.ts';
import { accessRequestLife, accessRequestStatuses } from './life.ts';
import * as z from 'zod/mini';
import { Email } from '../email.ts';
import { contact, endpoint, group, member, signedIn } from '../endpoint.ts';
import { PersonName } from '../one-line.ts';
import { contactTypes, type Permission, permissionKeys } from '../permissions.ts';
import { listOffset, rowVersion as version } from '../whole-numbers.ts';

export const accessRequestKinds = ['link', 'add-contact', 'remove-contact', 'change-role', 'permission'] as const;
export type AccessRequestKind = (typeof accessRequestKinds)[number];

const ContactTypes = z.array(z.enum(contactTypes));
const PermissionKeys = z.array(z.enum(permissionKeys as [Permission, ...Permission[]]));
const Reason = z.string().check(z.trim(), z.maxLength(500));

/** A request to the contacts of an account: to join, to add or remove a contact, for other contact types or permissions. */
export const AccessRequest = z.object({
  requestId: z.string(),
  kind: z.enum(accessRequestKinds),
  status: z.enum(accessRequestStatuses),
  /** Why it ended without a decision; only with status `other`. */
  outcome: z.nullable(z.enum(['expired', 'cancelled', 'superseded'])),
  requester: z.object({ name: z.string(), email: z.string(), emailVerified: z.boolean(), contactTypes: ContactTypes }),
  /** The contact it is about: to be removed or changed, or the requester where permissions are asked for. */
  subject: z.nullable(z.object({ contactId: z.string(), name: z.string(), email: z.string(), contactTypes: ContactTypes })),
  /** The person to be added. */
  person: z.nullable(z.object({ fullName: z.string(), email: z.string() })),
  /** Requested contact types; empty if the approver chooses. */
  contactTypes: ContactTypes,
  permissions: PermissionKeys,
  reason: z.string(),
  requestedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** The caller asked for it and cannot resolve it. */
  isMine: z.boolean(),
  resolvedBy: z.nullable(z.string()),
  resolvedAt: z.nullable(z.iso.datetime()),
  note: z.nullable(z.string()),
  /** Contact types that were granted in the end. */
  grantedContactTypes: z.nullable(ContactTypes),
  grantedPermissions: z.nullable(PermissionKeys),
});
export type AccessRequest = z.infer<typeof AccessRequest>;

const Resolution = z.object({
  requestId: rowId(),
  decision: z.enum(['approved', 'rejected']),
  /** Fewer contact types than asked for; for LINK, which asks for none, those the person becomes. */
  contactTypes: z.optional(ContactTypes),
  /** Fewer permissions than asked for, or than the contact types start with. */
  permissions: z.optional(PermissionKeys),
  /** Why; required to reject. */
  note: z._default(Reason, ''),
});
export type Resolution = z.infer<typeof Resolution>;

export const ContactChangeRequest = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('add-contact'),
    fullName: PersonName,
    email: Email,
    contactTypes: ContactTypes.check(z.minLength(1, { error: 'Choose at least one contact type' })),
    reason: Reason,
  }),
  z.object({ kind: z.literal('remove-contact'), contactId: z.uuid(), version, reason: Reason }),
  z.object({
    kind: z.literal('change-role'),
    contactId: z.uuid(),
    version,
    contactTypes: ContactTypes.check(z.minLength(1, { error: 'Choose at least one contact type' })),
    reason: Reason,
  }),
]);
export type ContactChangeRequest = z.infer<typeof ContactChangeRequest>;

const OwnRequests = z.array(
  z.object({
    requestId: z.string(),
    kind: z.enum(accessRequestKinds),
    status: z.enum(accessRequestStatuses),
    contactTypes: ContactTypes,
    permissions: PermissionKeys,
    reason: z.string(),
    requestedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  }),
);

export const accessRequests = group('contacts.accessRequests', {
  linkAccount: endpoint({
    method: 'POST',
    path: '/api/link-account',
    summary: 'Ask to become a contact of an account. The answer is the same whether or not the account exists.',
    access: signedIn,
    effect: 'asking',
    body: z.object({
      accountName: z
        .string()
        .check(
          z.trim(),
          z.toUpperCase(),
          z.regex(/^[A-Z0-9][A-Z0-9-]{1,39}$/, { error: 'An account name has 2 to 40 letters, digits and hyphens, such as EXAMPLE-AU' }),
        ),
    }),
    errors: ['TOO_MANY_REQUESTS'],
    activity: 'Requested to be linked to an account',
  }),
  listLinkRequests: endpoint({
    method: 'GET',
    path: '/api/me/link-requests',
    summary: 'The accounts the person asked to be linked to in the last 30 days and is no contact of. It does not tell whether they exist.',
    access: signedIn,
    answer: z.array(
      z.object({
        accountName: z.string(),
        askedAt: z.iso.datetime(),
        /** From when on another request reminds those who can approve. */
        remindFrom: z.iso.datetime(),
      }),
    ),
  }),
  cancelLinkRequest: endpoint({
    method: 'POST',
    path: '/api/me/link-requests/:name/cancel',
    summary: 'Withdraw a request to be linked to an account. The answer is the same whether or not the account exists.',
    access: signedIn,
    effect: 'protection',
    activity: 'Withdrew a request to be linked',
  }),
  listOwnRequests: endpoint({
    method: 'GET',
    path: '/api/:account/my-requests',
    summary: 'What the caller asked the contacts of the account for and no one has answered.',
    access: contact,
    answer: OwnRequests,
  }),
  cancelOwnRequest: endpoint({
    method: 'POST',
    path: '/api/:account/my-requests/:requestId/cancel',
    summary: 'Take a request of one’s own back while it waits.',
    moves: accessRequestLife.cancel,
    access: contact,
    effect: 'protection',
    answer: OwnRequests,
    errors: ['NOT_FOUND', 'ALREADY_RESOLVED'],
    activity: 'Withdrew a request',
  }),
  listAccessRequests: endpoint({
    method: 'GET',
    path: '/api/:account/access-requests',
    summary: 'Requests to the account: those that wait, oldest first, then the 20 resolved last.',
    access: member('users-approve'),
    answer: z.array(AccessRequest),
  }),
  listResolvedRequests: endpoint({
    method: 'GET',
    path: '/api/:account/access-requests/history',
    summary: 'Requests that wait no more, newest first, a page at a time.',
    access: member('users-approve'),
    query: z.object({
      status: z.optional(z.enum(['approved', 'rejected', 'other'])),
      kind: z.optional(z.enum(accessRequestKinds)),
      offset: listOffset,
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
    }),
    answer: z.object({ rows: z.array(AccessRequest), total: z.int() }),
  }),
  resolveAccessRequest: endpoint({
    method: 'POST',
    path: '/api/:account/resolve-access-request',
    summary: 'Approve a request, as it was asked or narrowed, or reject it with the reason.',
    moves: accessRequestLife.resolve,
    access: member('users-approve'),
    effect: 'control',
    body: Resolution,
    answer: AccessRequest,
    errors: [
      'SECOND_PERSON',
      'NOT_FOUND',
      'ALREADY_RESOLVED',
      'OWN_REQUEST',
      'PERMISSION_NOT_GRANTABLE',
      'CORPORATE_ONLY',
      'LAST_CORPORATE_CONTACT',
      'REGISTRY_DECIDES',
      'ALREADY_CONTACT',
    ],
    activity: 'Resolved an access request',
  }),
  requestContactChange: endpoint({
    method: 'POST',
    path: '/api/:account/access-requests',
    summary: 'Ask those who can approve it to add, remove or change a contact.',
    access: member('request-contact-add-remove'),
    effect: 'asking',
    body: ContactChangeRequest,
    answer: z.object({ requestId: z.string(), asked: z.array(z.string()) }),
    errors: ['NOT_FOUND', 'STALE', 'ALREADY_ASKED', 'ALREADY_CONTACT'],
    activity: 'Requested a change of contacts',
  }),
});
