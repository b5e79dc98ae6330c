import * as z from 'zod/mini';
import { endpoint, group, signedIn } from '../endpoint.ts';
import { DeliveryName } from './deliveries.ts';
import { TopicName } from './topics.ts';

export const NotificationPreferences = z.object({
  topics: z.array(
    z.object({
      topic: TopicName,
      delivery: DeliveryName,
      /** Why it cannot be switched off; null when it can. */
      locked: z.nullable(z.string()),
      /** Address for its e-mails besides or instead of the login's; null for none. */
      address: z.nullable(z.string()),
      /** One that has yet to be confirmed. */
      addressAsked: z.nullable(z.string()),
    }),
  ),
  /** The login's e-mail address, and the answers of its mail server. */
  email: z.object({
    address: z.string(),
    /** Since when mail to it is refused permanently; null if it arrives as far as known. */
    unreachableSince: z.nullable(z.iso.datetime()),
    refusal: z.nullable(z.string()),
  }),
});
export type NotificationPreferences = z.infer<typeof NotificationPreferences>;

/** The part of `notifications` that its settings alone need: the bell of every page loads the rest. */
export const notificationPreferences = group('notifications.preferences', {
  getNotificationPreferences: endpoint({
    method: 'GET',
    path: '/api/me/notification-preferences',
    summary: 'How the person gets what each topic says, which of them cannot be switched off and why, and whether e-mail arrives.',
    access: signedIn,
    answer: NotificationPreferences,
  }),
  saveNotificationPreference: endpoint({
    method: 'PATCH',
    path: '/api/me/notification-preferences',
    summary: 'Choose how to get what one topic says.',
    access: signedIn,
    effect: 'own details',
    body: z.object({ topic: TopicName, delivery: DeliveryName }),
    answer: NotificationPreferences,
    errors: ['TOPIC_LOCKED'],
    activity: 'Changed notification settings',
  }),
});
