import type { Change } from '../../platform/database/index.ts';
import { notifyCorporateContacts } from '../contacts/index.ts';

const place = { path: '/resources/registry-api/webhooks', act: 'View webhooks' };

type News = { accountName: string; label: string; url: string };

/** Notifies the corporate contacts that a webhook was created, pointed elsewhere, given a new secret or removed. */
export const announceWebhook = (
  change: Change,
  { accountName, label, url, act, by }: News & { act: 'created' | 'changed' | 'given a new secret' | 'removed'; by: string },
): Promise<void> =>
  notifyCorporateContacts(change, {
    ...place,
    topic: 'account.security',
    accountName,
    subject: `Webhook ${label} of ${accountName} was ${act}`,
    body: [
      act === 'given a new secret'
        ? `${by} gave the webhook ${label} of ${accountName} a new secret. The secret before signs for 24 hours more.`
        : `${by} ${act} the webhook ${label} of ${accountName}.`,
      act === 'removed' ? `Nothing is sent to ${url} any more.` : `Activities of the account are sent to ${url}.`,
      ...(act === 'removed' ? [] : ['If you didn’t expect this, pause the webhook and check the activity log.']),
    ],
  });

/** Notifies the corporate contacts that the registry has turned a webhook off. */
export const announceDisabledWebhook = (change: Change, { accountName, label, url, why }: News & { why: string }): Promise<void> =>
  notifyCorporateContacts(change, {
    ...place,
    topic: 'account.security',
    accountName,
    subject: `Webhook ${label} of ${accountName} was turned off`,
    body: [
      `The webhook ${label} of ${accountName} was turned off: ${why}.`,
      `Activities are no longer sent to ${url}. Fix the receiver, then turn the webhook on again. Events that it missed can be sent again from its deliveries.`,
    ],
  });
