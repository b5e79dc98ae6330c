import * as z from 'zod/mini';
import { endpoint, group, signedIn } from '../endpoint.ts';

export const Notification = z.object({
  notificationId: z.int(),
  topic: z.string(),
  /** The account it is about; null when it is about the login. */
  accountName: z.nullable(z.string()),
  title: z.string(),
  /** Paragraphs, separated by empty lines. */
  text: z.string(),
  /** Page where one can act on it. */
  link: z.nullable(z.string()),
  at: z.iso.datetime(),
  readAt: z.nullable(z.iso.datetime()),
});
export type Notification = z.infer<typeof Notification>;

export const notifications = group('notifications', {
  listNotifications: endpoint({
    method: 'GET',
    path: '/api/me/notifications',
    summary: 'Notifications of the person, newest first; the next page begins before the last one of this.',
    access: signedIn,
    query: z.object({
      // Repeated here because the shell loads this file: `listedId` would pull in the schema library.
      before: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER))),
      unread: z._default(z.enum(['true', 'false']), 'false'),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 30),
    }),
    answer: z.object({
      rows: z.array(Notification),
      /** For `before`; null when there is nothing older. */
      next: z.nullable(z.int()),
      unread: z.int(),
    }),
  }),
  countUnread: endpoint({
    method: 'GET',
    path: '/api/me/notifications/unread',
    summary: 'How many notifications the person has not read.',
    access: signedIn,
    answer: z.object({ unread: z.int() }),
  }),
  readNotification: endpoint({
    method: 'POST',
    path: '/api/me/notifications/:notificationId/read',
    summary: 'Keep that the person has read a notification.',
    access: signedIn,
    effect: 'own settings',
    answer: z.object({ unread: z.int() }),
    errors: ['NOT_FOUND'],
    activity: 'Read a notification',
  }),
  readAllNotifications: endpoint({
    method: 'POST',
    path: '/api/me/notifications/read-all',
    summary: 'Keep that the person has read all notifications up to the one given; those that came since stay unread.',
    access: signedIn,
    effect: 'own settings',
    body: z.object({ upTo: z.int().check(z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER)) }),
    answer: z.object({ unread: z.int() }),
    activity: 'Read all notifications',
  }),
});
