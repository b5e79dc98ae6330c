import { webhookFeed } from './feed.ts';
import type { Module } from '../../platform/module.ts';
import { webhooksWords } from './activity-words.ts';
import { ownWebhooks } from './own-webhooks.ts';
import { webhookRoutes } from './routes.ts';
import { deleteOldDeliveries, deliveryWorkQueue } from './webhook-sending.ts';
import { startWebhookWorker } from './webhook-worker.ts';

export const webhooksModule: Module = {
  name: 'webhooks',
  tables: ['webhook', 'webhookAttempt', 'webhookDelivery', 'webhookEvent', 'webhookSecret', 'webhookUse'],
  routes: () => webhookRoutes,
  feeds: [webhookFeed],
  schedule: [{ name: 'webhooks.deleteOldDeliveries', every: 60, run: ({ db, clock }) => deleteOldDeliveries(db, clock()) }],
  listen: startWebhookWorker,
  workQueues: [deliveryWorkQueue],
  loginPrograms: () => ownWebhooks,
  words: webhooksWords,
};
