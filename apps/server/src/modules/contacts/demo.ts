import { DAY_MS, instantAfter, instantBefore } from '@portal/contract/days';
import type { Change } from '../../platform/database/index.ts';
import type { DemoRegistry } from '../../platform/demo.ts';
import { type StoredNews, storeNotification } from '../notifications/index.ts';
import { requestContactChange } from './access-requests.ts';
import { askForPermission } from './permission-requests.ts';

/** Unread notifications, besides those of the requests below. */
const notices: readonly (readonly [username: string, news: StoredNews])[] = [
  [
    'tess',
    {
      topic: 'contacts.access',
      accountName: 'EXAMPLE-AU',
      subject: 'You’re now a technical contact of EXAMPLE-AU',
      body: 'You accepted the invitation of Corin Achterberg. Your contact type sets what you can do in the account.',
      path: '/member-account-settings/my-permissions',
      act: 'See your permissions',
    },
  ],
  [
    'bill',
    {
      topic: 'contacts.review',
      accountName: 'EXAMPLE-AU',
      subject: 'Are your details in EXAMPLE-AU still correct?',
      body: 'Once a year we ask whether your name, e-mail address, telephone number and position are still correct.',
      path: '/member-account-settings/account-contacts',
      act: 'Look at your details',
    },
  ],
];

/** Adds requests of contacts that wait, and notifications. */
const ago = (today: Date, days: number): string => instantBefore(today, days * DAY_MS);

/** Attempts to link a login to an account, two years ago: some are over, some are over in a day or two. */
const oldAttempts: readonly (readonly [username: string, accountName: string, days: number])[] = [
  ['max', 'GONE-VU', 774],
  ['max', 'GONE-VU', 773],
  ['hana', 'EXAMPLE-AU', 740],
  ['nadia', 'EXAMPLE-AU', 729],
  ['olive', 'EXAMPLE-AU', 729],
];

export async function addDemoLife({ changeAs, change: changeDemo, loginOf, config, today }: DemoRegistry): Promise<void> {
  await changeAs({
    person: 'tilda',
    accountName: 'EXAMPLE-AU',
    action: 'contacts.accessRequests.requestContactChange',
    daysAgo: 9,
    summary: 'Requested a change of contacts',
    run: async (change, { account, caller }) => {
      const { requestId } = await requestContactChange({
        change,
        account,
        caller,
        body: {
          kind: 'add-contact',
          fullName: 'Nora Vale',
          email: 'nora@example-au.example',
          contactTypes: ['technical'],
          reason: 'Nora joins the network team in December',
        },
      });
      await ageRequest(change, requestId, instantBefore(today, 9 * DAY_MS));
    },
  });
  await changeAs({
    person: 'bill',
    accountName: 'EXAMPLE-AU',
    action: 'contacts.askForPermission',
    daysAgo: 2,
    summary: 'Requested a permission',
    run: async (change, { account, caller }) => {
      const { requestId } = await askForPermission({
        change,
        account,
        caller,
        body: {
          permissions: ['member-account-access-logs-view'],
          page: '/member-account-settings/activity-logs',
          message: 'Our auditor asks who changed the billing address',
        },
        registry: { config },
      });
      await ageRequest(change, requestId, instantBefore(today, 2 * DAY_MS));
    },
  });
  await changeDemo(
    { action: 'contacts.accessRequests.linkAccount', summary: 'Requested to be linked to the account', happenedAt: ago(today, 774) },
    async change => {
      for (const [username, accountName, days] of oldAttempts)
        await change
          .insertInto('linkAttempt')
          .values({ loginId: loginOf(username).loginId, accountName, address: '203.0.113.24', askedAt: ago(today, days) })
          .execute();
    },
  );
  await changeDemo({ action: 'demo.notify', summary: 'Notified the demo people' }, async change => {
    for (const [username, news] of notices) await storeNotification(change, news, loginOf(username).loginId);
  });
}

/** Requests of contacts expire thirty days after they were made. */
async function ageRequest(change: Change, requestId: string, requestedAt: string): Promise<void> {
  await change
    .updateTable('accessRequest')
    .set({ requestedAt, notifiedAt: requestedAt, expiresAt: instantAfter(requestedAt, 30 * DAY_MS) })
    .where('accessRequestId', '=', Number(requestId))
    .execute();
}
