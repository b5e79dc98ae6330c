import * as z from 'zod/mini';
import { Account } from '../accounts/accounts.ts';
import { endpoint, group, staff as staffWith } from '../endpoint.ts';
import { resourceKinds } from '../resources/resource-kinds.ts';

/** A holder found by registry staff and why it was found. */
export const HolderHit = z.object({
  accountName: z.string(),
  orgName: z.string(),
  accountType: z.string(),
  accountStatus: z.string(),
  economy: z.nullable(z.string()),
  /** The delegation that matched; null when the holder's name did. */
  kind: z.nullable(z.enum(resourceKinds)),
  resource: z.nullable(z.string()),
  /** `available` or `reserved` pool for space without a holder; accountName is empty then. */
  pool: z.nullable(z.enum(['available', 'reserved'])),
});
export type HolderHit = z.infer<typeof HolderHit>;

/** A look at an account as its contacts see it: half an hour at most, reading only, in the member's activity log. */
export const StaffVisit = z.object({
  visitId: z.string(),
  account: Account,
  startedAt: z.iso.datetime(),
  until: z.iso.datetime(),
});
export type StaffVisit = z.infer<typeof StaffVisit>;

const offset = z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)), 0);
const limit = z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20);

export const staff = group('staff', {
  findHolders: endpoint({
    method: 'GET',
    path: '/api/staff/holders',
    summary: 'Holders over all accounts by prefix, address, range, AS number, account name or organisation name.',
    access: staffWith('accounts'),
    query: z.object({ q: z.string().check(z.minLength(1), z.maxLength(100)), offset, limit }),
    answer: z.object({ hits: z.array(HolderHit), more: z.boolean() }),
  }),
  startVisit: endpoint({
    method: 'POST',
    path: '/api/staff/accounts/:accountName/visit',
    summary: 'Begin to look at an account as its contacts see it: half an hour, reading only. It stands in the member’s activity log.',
    access: staffWith(['accounts', 'audit']),
    effect: 'reading',
    answer: StaffVisit,
    errors: ['NOT_FOUND', 'ALREADY_CONTACT'],
    activity: 'Started viewing the account',
  }),
  endVisit: endpoint({
    method: 'POST',
    path: '/api/staff/visit/end',
    summary: 'Stop looking at an account; without a visit nothing happens.',
    access: staffWith(['accounts', 'audit']),
    effect: 'reading',
    activity: 'Stopped viewing the account',
  }),
  getVisit: endpoint({
    method: 'GET',
    path: '/api/staff/visit',
    summary: 'The account one looks at, and until when.',
    access: staffWith('accounts'),
    answer: z.object({ visit: z.nullable(StaffVisit) }),
  }),
});
