import { eventsBacklog, webhookFeed } from './feed.ts';
import { sql } from 'kysely';
import { backlogOf } from '../../platform/backlogs.ts';
import type { Module } from '../../platform/module.ts';
import { webhookNames } from './act-names.ts';
import { webhooksWords } from './activity-words.ts';
import { ownWebhooks } from './own-webhooks.ts';
import { webhookRoutes } from './routes.ts';
import { deleteOldDeliveries, deliveryWorkQueue } from './webhook-sending.ts';
import { startWebhookWorker } from './webhook-worker.ts';
import { webhooksPersonal } from './personal-data.ts';
import { untilRemoved } from '../../platform/kept-data.ts';
import { webhooksTexts } from './mail-texts.ts';

export const webhooksModule: Module = {
  name: 'webhooks',
  mailTexts: webhooksTexts,
  tables: ['webhook', 'webhookAttempt', 'webhookDelivery', 'webhookEvent', 'webhookSecret', 'webhookUse'],
  keeps: [
    {
      of: 'login',
      data: 'Webhooks that you made',
      purpose: 'To know who receives what through them',
      until: untilRemoved,
      ends: 'changed',
      tables: ['webhook'],
    },
  ],
  personal: webhooksPersonal,
  routes: () => webhookRoutes,
  demo: () => import('./demo.ts'),
  feeds: [webhookFeed],
  backlogs: [eventsBacklog, backlogOf('webhooks.deliveries', sql`webhook_delivery where due_at is not null`, sql`created_at`)],
  schedule: [{ name: 'webhooks.deleteOldDeliveries', every: 60, run: ({ db, clock }) => deleteOldDeliveries(db, clock()) }],
  listen: startWebhookWorker,
  workQueues: [deliveryWorkQueue],
  loginPrograms: () => ownWebhooks,
  actNames: webhookNames,
  words: webhooksWords,
};
