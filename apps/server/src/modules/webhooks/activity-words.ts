import type { webhooks } from '@portal/contract/webhooks/webhooks';
import { list, type ModuleWords, text, time, yesNo } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const webhooksWords = {
  activities: {
    webhooks: {
      category: 'contacts',
      actions: {
        createWebhook: 'Create a webhook',
        saveWebhook: 'Change a webhook',
        pauseWebhook: 'Pause a webhook',
        removeWebhook: 'Remove a webhook',
        rotateWebhookSecret: 'Rotate the secret of a webhook',
        testWebhook: 'Test a webhook',
        replayDelivery: 'Send an event again',
        disableWebhook: 'Turn off a webhook that fails',
      },
    },
  },
  rows: {
    webhook: {
      what: 'Webhook',
      key: ['webhook_id'],
      owner: 'account_name',
      name: ['label'],
      columns: {
        label: text('Label'),
        url: text('Address'),
        categories: list('Subjects'),
        refusals: yesNo('Refused attempts'),
        paused_at: time('Paused'),
        disabled_at: time('Turned off'),
        disabled_why: text('Reason'),
        removed_at: time('Removed'),
      },
      unsaid: ['webhook_id', 'account_name', 'login_id', 'created_at'],
    },
  },
  unshown: { webhook_secret: 'the line says that a webhook was created or its secret rotated' },
} satisfies ModuleWords<{ webhooks: typeof webhooks }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    webhooks: typeof webhooksWords;
  }
}
