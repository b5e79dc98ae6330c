import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const routesTexts = mailTexts('routes', {
  unexpectedAnnouncements: {
    topic: 'routes.alerts',
    subject: '{outcome}',
    body: [
      'Route collectors see, and validators judge by what is published: {names}{outcome2}.',
      'Many networks drop invalid announcements. Add a route for those you intend, or mute those you know of.',
    ],
    says: { outcome: '2 announcements of EXAMPLE-AU are invalid', outcome2: ' and 3 more' },
  },
});
