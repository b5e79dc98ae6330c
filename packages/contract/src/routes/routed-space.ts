import * as z from 'zod/mini';
import { endpoint, group, member } from '../endpoint.ts';
import { Validity } from './routes.ts';

/** Entries of one answer: more can't be told apart on a map. */
export const maxRoutedEntries = 2_000;

/** ROAs that are named for one announcement. */
export const maxDecidingRoas = 5;

const Vrp = z.object({ prefix: z.string(), asn: z.int(), maxLength: z.int() });

export const SeenAnnouncement = z.object({
  prefix: z.string(),
  asn: z.int(),
  peers: z.int(),
  validity: Validity,
  /** The first published ROAs that decide it, of this account and of others: those that name its AS before others. */
  roas: z.array(Vrp),
  /** All published ROAs over it. */
  roaCount: z.int(),
});
export type SeenAnnouncement = z.infer<typeof SeenAnnouncement>;

export const RoutedSpace = z.object({
  /** When collectors saw it; null without a table. */
  collectedAt: z.nullable(z.iso.datetime()),
  announcements: z.array(SeenAnnouncement),
  /** Published ROAs in the block that allow nothing that is seen. */
  silent: z.array(Vrp),
  /** There is more than the answer lists. */
  more: z.boolean(),
});
export type RoutedSpace = z.infer<typeof RoutedSpace>;

export const routedSpace = group('routes.routedSpace', {
  getRoutedSpace: endpoint({
    method: 'GET',
    path: '/api/:account/routes/routed-space',
    publicApi: { path: '/routed-space', scope: 'routes:read' },
    summary:
      'What the world sees of a block of the account: announcements with their validity and the ROAs that decide it, and ROAs of which nothing is seen.',
    access: member('rescert-view', { staff: true }),
    query: z.object({ /** `198.18.0.0/19` */ within: z.string().check(z.trim(), z.minLength(1), z.maxLength(60)) }),
    answer: RoutedSpace,
    errors: ['INVALID_REQUEST'],
  }),
});
