import * as z from 'zod/mini';
import { Email } from '../email.ts';
import { endpoint, group, signedIn } from '../endpoint.ts';
import { TopicName } from '../notifications/topics.ts';

export const notificationAddresses = group('identity.notificationAddresses', {
  setNotificationAddress: endpoint({
    method: 'POST',
    path: '/api/me/notification-address',
    summary: 'Send the e-mails of a topic to another address, once it was confirmed there; null: to that of the login again.',
    access: signedIn,
    effect: 'own details',
    body: z.object({ topic: TopicName, email: z.nullable(Email) }),
    errors: ['TOO_MANY_REQUESTS'],
    activity: 'Chose the address for a topic',
  }),
});
