import * as z from 'zod/mini';
import { endpoint, group, signedIn } from '../endpoint.ts';

/** The private feed of a person: announcements for them, such as maintenance that affects their accounts. */
export const ownFeeds = group('announcements.ownFeeds', {
  getOwnFeed: endpoint({
    method: 'GET',
    path: '/api/announcements/own-feed',
    summary: 'Whether the caller has a private feed of announcements, and since when its address is valid.',
    access: signedIn,
    answer: z.object({ madeAt: z.nullable(z.iso.datetime()) }),
  }),
  makeOwnFeed: endpoint({
    method: 'POST',
    path: '/api/announcements/own-feed',
    summary: 'Make a new address for the caller’s private feed. It is shown once, and the address before it stops working.',
    access: signedIn,
    effect: 'own settings',
    answer: z.object({
      /** Addresses of the feed as Atom and as JSON Feed. Anyone who has one reads the feed. */
      atomUrl: z.string(),
      jsonUrl: z.string(),
      madeAt: z.iso.datetime(),
    }),
    activity: 'Made a private feed of announcements',
  }),
  endOwnFeed: endpoint({
    method: 'DELETE',
    path: '/api/announcements/own-feed',
    summary: 'Delete the address of the caller’s private feed.',
    access: signedIn,
    effect: 'own settings',
    answer: z.object({ madeAt: z.nullable(z.iso.datetime()) }),
    activity: 'Deleted a private feed of announcements',
  }),
});
