import * as z from 'zod/mini';
import { Account } from './accounts.ts';
import { endpoint, group, staffOnly } from './endpoint.ts';
import { resourceKinds } from './resources.ts';

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
  /** Space that belongs to nobody yet: `available` or `reserved` pool; accountName is empty then. */
  pool: z.nullable(z.enum(['available', 'reserved'])),
});
export type HolderHit = z.infer<typeof HolderHit>;

export const staff = group('staff', {
  findHolders: endpoint({
    method: 'GET',
    path: '/api/staff/holders',
    summary: 'Holders over all accounts by prefix, address, range, AS number, account name or organisation name.',
    access: staffOnly,
    query: z.object({ q: z.string().check(z.minLength(1), z.maxLength(100)) }),
    answer: z.object({ hits: z.array(HolderHit), more: z.boolean() }),
  }),
  getAccount: endpoint({
    method: 'GET',
    path: '/api/staff/accounts/:accountName',
    summary: 'Any account, to look at as registry staff.',
    access: staffOnly,
    answer: Account,
    errors: ['NOT_FOUND'],
  }),
});
