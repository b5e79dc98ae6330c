import type { DemoRegistry } from '../../platform/demo.ts';
import { type StoredNews, storeNotification } from './notify.ts';

/** Notifications of demo people at their first visit, by user name; oldest first. */
const unread: Record<string, readonly StoredNews[]> = {
  corin: [
    {
      topic: 'contacts.access',
      accountName: 'EXAMPLE-AU',
      subject: 'Tess Lindqvist is now a contact of EXAMPLE-AU',
      body: 'Tess Lindqvist accepted the invitation of Corin Achterberg and is now a technical contact of EXAMPLE-AU.',
      path: '/member-account-settings/account-contacts',
      act: 'Open account contacts',
    },
    {
      topic: 'login.security',
      accountName: null,
      subject: 'A second factor was turned on',
      body: 'An authenticator app was added to your login. You are asked for its code when something needs it.',
      path: '/account/factors',
      act: 'Look at your second factors',
    },
    {
      topic: 'contacts.review',
      accountName: 'EXAMPLE-AU',
      subject: 'Are your details in EXAMPLE-AU still correct?',
      body: [
        'You are a contact of EXAMPLE-AU. Once a year we ask whether your name, e-mail address, telephone number and position are still correct.',
        'Confirm or correct them.',
      ].join('\n\n'),
      path: '/member-account-settings/account-contacts',
      act: 'View your details',
    },
  ],
};

/** Adds notifications that demo people have not read. */
export const addDemo = ({ change: changeDemo, loginOf }: DemoRegistry): Promise<void> =>
  changeDemo({ action: 'demo.notify', summary: 'Notified the demo people' }, async change => {
    for (const [username, news] of Object.entries(unread))
      for (const each of news) await storeNotification(change, each, loginOf(username).loginId);
  });
