import * as z from 'zod/mini';
import { corporate, endpoint, group, member, largeBody } from '../endpoint.ts';
import { type Permission, permissionKeys } from '../permissions.ts';
import { rowVersion } from '../whole-numbers.ts';

const PermissionKeys = z.array(z.enum(permissionKeys as [Permission, ...Permission[]]));
const Reason = z._default(z.string().check(z.trim(), z.maxLength(500)), '');

export const reviewDecisions = ['keep', 'narrow', 'remove'] as const;

/** The yearly review of everyone who acts for the account. */
export const AccessReview = z.object({
  /** The last one; null when there was none. */
  last: z.nullable(z.object({ reviewedAt: z.iso.datetime(), reviewedBy: z.string(), kept: z.int(), narrowed: z.int(), removed: z.int() })),
  /** The day from which another one is due. */
  dueFrom: z.iso.date(),
  due: z.boolean(),
});
export type AccessReview = z.infer<typeof AccessReview>;

/** The access that ends when a contact leaves, and what another contact must hold first. */
export const Holdings = z.object({
  permissions: PermissionKeys,
  /** Permissions that no other contact holds. */
  onlyHere: PermissionKeys,
  maintainers: z.array(z.string()),
  /** Open requests of the leaving contact; they are cancelled. */
  openRequests: z.array(z.object({ requestId: z.string(), kind: z.string(), requestedAt: z.iso.datetime() })),
  /** Registry staff decide about the end of a corporate contact. */
  registryDecides: z.boolean(),
});
export type Holdings = z.infer<typeof Holdings>;

export const accessReviews = group('contacts.accessReviews', {
  getAccessReview: endpoint({
    method: 'GET',
    path: '/api/:account/access-review',
    summary: 'When access to the account was last reviewed, and whether a review is due.',
    access: member('users-privileges-view'),
    answer: AccessReview,
  }),
  reviewAccess: endpoint({
    method: 'POST',
    path: '/api/:account/access-reviews',
    summary:
      'Decide about every other contact in one call: keep, remove permissions, or remove. Removing a corporate contact needs the registry’s approval.',
    access: corporate,
    effect: 'control',
    largestBody: largeBody,
    body: z.object({
      decisions: z.array(
        z.object({
          contactId: z.uuid(),
          version: rowVersion,
          decision: z.enum(reviewDecisions),
          /** Permissions to remove, if access is narrowed. */
          permissions: z._default(PermissionKeys, []),
          reason: Reason,
        }),
      ),
    }),
    answer: z.object({
      review: AccessReview,
      /** Corporate contacts whose removal the registry has to approve. */ waiting: z.array(z.string()),
    }),
    errors: ['NOT_FOUND', 'STALE', 'LAST_CORPORATE_CONTACT', 'REGISTRY_DECIDES', 'PERMISSION_NOT_GRANTABLE'],
    activity: 'Reviewed access',
  }),
  exportAccessReviews: endpoint({
    method: 'GET',
    path: '/api/:account/access-reviews-export',
    summary: 'All decisions of all access reviews, newest first, as CSV or JSON.',
    access: member('users-privileges-view'),
    query: z.object({ format: z._default(z.enum(['csv', 'json']), 'csv') }),
    answer: 'download',
  }),
  getHoldings: endpoint({
    method: 'GET',
    path: '/api/:account/contacts/:contactId/holdings',
    summary: 'What ends when a contact leaves.',
    access: member('users-privileges-view'),
    answer: Holdings,
    errors: ['NOT_FOUND'],
  }),
  handOver: endpoint({
    method: 'POST',
    path: '/api/:account/contacts/:contactId/hand-over',
    summary: 'Give what a contact holds to another one, and end that the first acts for the account, in one change.',
    access: corporate,
    effect: 'control',
    body: z.object({
      version: rowVersion,
      /** The contact who takes over; null for no one. */
      to: z.nullable(z.object({ contactId: z.uuid(), version: rowVersion })),
      /** Everything the contact holds is lost unless it is listed here. */
      permissions: PermissionKeys,
      maintainers: z.array(z.string()),
      reason: Reason,
    }),
    answer: z.object({ removed: z.boolean(), words: z.string() }),
    errors: ['NOT_FOUND', 'STALE', 'OWN_PERMISSIONS', 'LAST_CORPORATE_CONTACT', 'REGISTRY_DECIDES', 'PERMISSION_NOT_GRANTABLE'],
    waitsFor: 'registry staff have approved it',
    activity: 'Replaced and removed a contact',
  }),
});
