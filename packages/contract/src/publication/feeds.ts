import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';
import { operationPermissions } from '../staff-permissions.ts';

/** Feeds: what this registry publishes or sends, each under the name that settings, metrics and /readyz know it by. */
export const feedNames = [
  'whois',
  'whois-files',
  'nrtm4',
  'reverse-zones',
  'rpki-rrdp',
  'rpki-rsync',
  'statistics',
  'log-roots',
  'mail',
  'webhooks',
  'backups',
] as const;
export type FeedName = (typeof feedNames)[number];

export const Feed = z.object({
  name: z.enum(feedNames),
  title: z.string(),
  /** Everything before this instant is included; null if it was never made here. */
  asOf: z.nullable(z.iso.datetime()),
  /** How old it may be, in minutes; null where no one watches it (setting FEED_MINUTES). */
  most: z.nullable(z.int()),
  late: z.boolean(),
});
export type Feed = z.infer<typeof Feed>;

export const publicationFeeds = group('publication.feeds', {
  listFeeds: endpoint({
    method: 'GET',
    path: '/api/staff/feeds',
    summary: 'How old everything is that this registry publishes or sends, and how old it may be.',
    access: staff(operationPermissions),
    answer: z.object({ at: z.iso.datetime(), feeds: z.array(Feed) }),
  }),
});
