import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';

/** A handle shared by several objects, from the time before handles were unique. */
export const SharedHandle = z.object({
  handle: z.string(),
  /** The oldest first. */
  objects: z.array(
    z.object({
      class: z.string(),
      shown: z.string(),
      name: z.string(),
      maintainers: z.array(z.string()),
      changedAt: z.iso.datetime(),
    }),
  ),
  /** Objects that name the handle, and so mean all of them. */
  referrers: z.int(),
});
export type SharedHandle = z.infer<typeof SharedHandle>;

export const whoisSharedHandles = group('whois.sharedHandles', {
  listSharedHandles: endpoint({
    method: 'GET',
    path: '/api/staff/whois/shared-handles',
    summary: 'Handles that name several whois objects, at most 200.',
    access: staff(['ledger', 'dns']),
    answer: z.object({ total: z.int(), rows: z.array(SharedHandle) }),
  }),
});
