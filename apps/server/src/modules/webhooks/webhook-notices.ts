import type { Change } from '../../platform/database/index.ts';
import { notifyCorporateContacts } from '../contacts/index.ts';
import { webhooksTexts } from './mail-texts.ts';

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
    text: webhooksTexts.written('webhook', {
      label,
      accountName,
      act,
      gaveTheWebhook:
        act === 'given a new secret'
          ? `${by} gave the webhook ${label} of ${accountName} a new secret. The secret before signs for 24 hours more.`
          : `${by} ${act} the webhook ${label} of ${accountName}.`,
      nothingIsSent: act === 'removed' ? `Nothing is sent to ${url} any more.` : `Activities of the account are sent to ${url}.`,
      ifYouDidnt: act === 'removed' ? '' : 'If you didn’t expect this, pause the webhook and check the activity log.',
    }),
  });

/** Notifies the corporate contacts that the registry has turned a webhook off. */
export const announceDisabledWebhook = (change: Change, { accountName, label, url, why }: News & { why: string }): Promise<void> =>
  notifyCorporateContacts(change, {
    ...place,
    topic: 'account.security',
    accountName,
    text: webhooksTexts.written('webhookTurnedOff', { label, accountName, why, url }),
  });
