import * as z from 'zod/mini';
import { endpoint, group, signedIn } from '../endpoint.ts';
import { Announcement } from './announcement-shapes.ts';

/** An announcement of the registry to the signed-in person. */
export const announcements = group('announcements', {
  listAnnouncements: endpoint({
    method: 'GET',
    path: '/api/announcements',
    summary: 'Announcements for the caller, newest first. `current`: only those that have not ended.',
    access: signedIn,
    query: z.object({
      current: z._default(z.enum(['true', 'false']), 'false'),
      /** Only those published before this one. */
      // Repeated here because the shell loads this file: `listedId` would pull in the schema library.
      before: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER))),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
    }),
    answer: z.object({
      rows: z.array(Announcement),
      /** For `before`; null when there is nothing older. */
      next: z.nullable(z.int()),
    }),
  }),
  listBanners: endpoint({
    method: 'GET',
    path: '/api/announcements/banners',
    summary:
      'Current announcements that the caller is shown on every page: warnings, and those that need an acknowledgement. With how many legal texts wait for the caller’s acceptance.',
    access: signedIn,
    answer: z.object({
      rows: z.array(Announcement),
      /** How many legal texts the caller has to accept. */
      texts: z.int(),
    }),
  }),
  acknowledgeAnnouncement: endpoint({
    method: 'POST',
    path: '/api/announcements/:announcementId/acknowledge',
    summary: 'Record that the caller acknowledged an announcement; its banner disappears.',
    access: signedIn,
    effect: 'own settings',
    answer: Announcement,
    errors: ['NOT_FOUND'],
    activity: 'Acknowledged an announcement',
  }),
});
