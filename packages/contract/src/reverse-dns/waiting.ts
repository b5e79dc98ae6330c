import * as z from 'zod/mini';
import { endpoint, group, member, largeBody } from '../endpoint.ts';
import { ZoneSubmission } from './reverse-dns.ts';

/** Days for which a delegation waits for its name servers, and how often they are checked meanwhile. */
export const waitDays = 7;
export const waitCheckMinutes = 60;
/** Delegations of an account that may wait at the same time. */
export const maxWaiting = 20;

/**
 * `waiting`: its servers are checked every hour. `delegated`: they were ready, and the zones were delegated. `refused`: the request became invalid.
 * `ended`: seven days passed. `cancelled`: by a contact.
 */
export const waitingStates = ['waiting', 'delegated', 'refused', 'ended', 'cancelled'] as const;

export const WaitingDelegation = z.object({
  waitingId: z.string(),
  zones: z.array(z.string()),
  servers: z.array(z.string()),
  signed: z.boolean(),
  state: z.enum(waitingStates),
  /** Full name of the contact. */
  askedBy: z.string(),
  askedAt: z.iso.datetime(),
  until: z.iso.datetime(),
  /** The last check that has a result; null before the first. */
  checkedAt: z.nullable(z.iso.datetime()),
  /** Why the zones aren’t delegated yet, or why they weren’t; null before the first check. */
  problem: z.nullable(z.string()),
  /** The check that found the problem, for its report. */
  checkId: z.nullable(z.string()),
  decidedAt: z.nullable(z.iso.datetime()),
});
export type WaitingDelegation = z.infer<typeof WaitingDelegation>;

const view = member('whois-domain-objects-view', { staff: true });
const update = member('whois-domain-objects-update');

/** Delegations that wait until their name servers are ready. */
export const waitingDelegations = group('reverseDns.waiting', {
  listWaiting: endpoint({
    method: 'GET',
    path: '/api/:account/reverse-dns/waiting',
    publicApi: { path: '/reverse-dns/waiting', scope: 'reverse-dns:read' },
    summary: 'Delegations that wait for their name servers, and those decided within the last 30 days, the newest first.',
    access: view,
    query: z.object({
      state: z.optional(z.enum(waitingStates)),
      offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(100_000)), 0),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
    }),
    answer: z.object({ total: z.int(), rows: z.array(WaitingDelegation) }),
  }),
  waitForServers: endpoint({
    method: 'POST',
    path: '/api/:account/reverse-dns/waiting',
    publicApi: { path: '/reverse-dns/waiting', scope: 'reverse-dns:write' },
    summary: 'Delegate reverse zones as soon as their name servers are ready: they are checked every hour for seven days.',
    access: update,
    effect: 'zones',
    largestBody: largeBody,
    body: ZoneSubmission,
    answer: WaitingDelegation,
    errors: ['ACCOUNT_SUSPENDED', 'ACCOUNT_RESTRICTED_IRT', 'TOO_MANY_OBJECTS', 'INVALID_REQUEST', 'ALREADY_WAITING', 'TOO_MANY_WAITING'],
    activity: 'Asked to delegate reverse zones when their servers are ready',
  }),
  cancelWaiting: endpoint({
    method: 'DELETE',
    path: '/api/:account/reverse-dns/waiting/:waitingId',
    publicApi: { path: '/reverse-dns/waiting/:waitingId', scope: 'reverse-dns:write' },
    summary: 'Stop waiting: the zones stay as they are.',
    access: update,
    effect: 'protection',
    answer: WaitingDelegation,
    errors: ['NOT_FOUND', 'ALREADY_RESOLVED'],
    activity: 'Cancelled a delegation that was waiting',
  }),
});
