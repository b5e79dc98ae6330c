import { webhooks } from '@portal/contract/webhooks/webhooks';
import { implement } from '../../platform/http/endpoints.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { getDelivery, listDeliveries, replayDelivery, testWebhook } from './deliveries.ts';
import { createWebhook, listWebhooks, pauseWebhook, removeWebhook, rotateWebhookSecret, saveWebhook } from './webhooks.ts';

export const webhookRoutes = ({ clock }: Pick<ModuleContext, 'clock'>) =>
  implement(webhooks, {
    listWebhooks,
    createWebhook,
    saveWebhook,
    pauseWebhook,
    removeWebhook,
    rotateWebhookSecret,
    testWebhook,
    listDeliveries: ({ read, account, params, query }) =>
      listDeliveries(read, { ...query, webhookId: params.webhookId, account, now: clock() }),
    getDelivery,
    replayDelivery,
  });
