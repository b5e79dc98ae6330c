import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const notificationsTexts = mailTexts('notifications', {
  dailyDigest: {
    topic: 'notifications.digest',
    subject: '{howMany} of the day',
    body: ['Unread in the portal:', '{list}'],
    says: { howMany: '3 notifications' },
    samples: { list: '- Details of Tess Lindqvist in EXAMPLE-AU changed' },
  },
  weeklyDigest: {
    topic: 'notifications.digest',
    subject: '{howMany} of the week',
    body: ['Unread in the portal:', '{list}'],
    says: { howMany: '3 notifications' },
    samples: { list: '- Details of Tess Lindqvist in EXAMPLE-AU changed' },
  },
});
