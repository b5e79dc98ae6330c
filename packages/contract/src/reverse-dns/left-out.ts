import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';

/** A record that the publisher leaves out of a reverse zone, because name servers wouldn’t load it or resolvers wouldn’t accept it. */
export const LeftOutZone = z.object({
  zone: z.string(),
  parent: z.string(),
  /** The other registry whose record it is; null where it is a domain object. */
  source: z.nullable(z.string()),
  /** The account that holds the addresses; null where none or several do. */
  accountName: z.nullable(z.string()),
  /** No record of the delegation is left. */
  whole: z.boolean(),
  reasons: z.array(z.string()),
  since: z.iso.datetime(),
  notifiedAt: z.nullable(z.iso.datetime()),
});
export type LeftOutZone = z.infer<typeof LeftOutZone>;

export const reverseDnsLeftOut = group('reverseDns.leftOut', {
  listLeftOut: endpoint({
    method: 'GET',
    path: '/api/staff/reverse-dns/left-out',
    summary: 'Delegations that are left out of the reverse zones, in whole or in part, the oldest first.',
    access: staff('dns'),
    query: z.object({
      offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)), 0),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
    }),
    answer: z.object({ total: z.int(), rows: z.array(LeftOutZone) }),
  }),
});
