import * as z from 'zod/mini';
import { endpoint, group, member, staff, largeBody } from '../endpoint.ts';

/** A lock of a delegation: nothing of it is transferred or returned until two people have released it and the delay is over. */
export const ResourceLock = z.object({
  lockId: z.string(),
  resource: z.string(),
  lockedAt: z.iso.datetime(),
  lockedBy: z.string(),
  /** Null while no one has asked for its release. */
  release: z.nullable(
    z.object({
      requestedAt: z.iso.datetime(),
      requestedBy: z.string(),
      /** The caller asked for it, so someone else confirms. */
      isMine: z.boolean(),
      /** The person who confirmed it; null while no one has. */
      confirmedBy: z.nullable(z.string()),
      /** When the lock ends at the earliest. */
      releasesAt: z.iso.datetime(),
    }),
  ),
});
export type ResourceLock = z.infer<typeof ResourceLock>;

const see = member('tickets-resources-view');
const release = member('tickets-resources-update');
const Locks = z.object({ rows: z.array(ResourceLock), delayHours: z.int() });

export const resourceLocks = group('resources.locks', {
  listLocks: endpoint({
    method: 'GET',
    path: '/api/:account/resource-locks',
    publicApi: { path: '/resource-locks', scope: 'requests:read' },
    summary: 'The locks of the account, with the state of their release; at most a thousand.',
    access: see,
    answer: Locks,
  }),
  addLocks: endpoint({
    method: 'POST',
    path: '/api/:account/resource-locks',
    summary: 'Lock delegations against transfer and return, immediately. RDAP shows it. Locked ones stay locked.',
    access: member('tickets-resources-update'),
    effect: 'holding',
    alone: 'a lock only keeps what is there',
    largestBody: largeBody,
    body: z.object({
      resources: z
        .array(z.string().check(z.maxLength(100)))
        .check(z.minLength(1, { error: 'Choose at least one resource' }), z.maxLength(500)),
    }),
    answer: Locks,
    errors: ['NOT_HOLDER', 'RESOURCE_LOCKED'],
    activity: 'Locked resources',
  }),
  requestRelease: endpoint({
    method: 'POST',
    path: '/api/:account/resource-locks/:lockId/release',
    summary: 'Ask for the release of a lock. Someone else confirms it, and it ends after a delay at the earliest.',
    access: release,
    effect: 'holding',
    alone: 'the release of a lock has a second person and a delay of its own',
    answer: Locks,
    errors: ['NOT_FOUND', 'RELEASE_STATE'],
    activity: 'Requested the release of a lock',
  }),
  confirmRelease: endpoint({
    method: 'POST',
    path: '/api/:account/resource-locks/:lockId/confirm',
    summary: 'Confirm the release of a lock that another contact asked for.',
    access: release,
    effect: 'holding',
    alone: 'the release of a lock has a second person and a delay of its own',
    answer: Locks,
    errors: ['NOT_FOUND', 'RELEASE_STATE', 'OWN_REQUEST'],
    activity: 'Confirmed the release of a lock',
  }),
  cancelRelease: endpoint({
    method: 'POST',
    path: '/api/:account/resource-locks/:lockId/keep',
    summary: 'Keep a lock whose release was asked for, confirmed or not.',
    access: member('tickets-resources-update'),
    effect: 'protection',
    answer: Locks,
    errors: ['NOT_FOUND', 'RELEASE_STATE'],
    activity: 'Kept a lock',
  }),
  listStaffLocks: endpoint({
    method: 'GET',
    path: '/api/staff/accounts/:accountName/resource-locks',
    summary: 'The locks of any account, for registry staff.',
    access: staff('accounts'),
    answer: Locks,
    errors: ['NOT_FOUND'],
  }),
  confirmStaffRelease: endpoint({
    method: 'POST',
    path: '/api/staff/resource-locks/:lockId/confirm',
    summary: 'Confirm the release of a lock as registry staff, for an account that has no second contact.',
    access: staff('ledger'),
    effect: 'holding',
    answer: Locks,
    errors: ['NOT_FOUND', 'RELEASE_STATE', 'OWN_REQUEST'],
    activity: 'Confirmed the release of a member’s lock',
  }),
});
