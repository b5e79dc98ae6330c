import { webhooks } from '@portal/contract/webhooks/webhooks';
import { implement } from '../../platform/http/endpoints.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { getDelivery, listDeliveries, replayDelivery, testWebhook } from './deliveries.ts';
import { createWebhook, listWebhooks, pauseWebhook, removeWebhook, rotateWebhookSecret, saveWebhook } from './webhooks.ts';

export const webhookRoutes = ({
  clock,
  box,
  config: { webhooksStayPublic: stayPublic },
}: Pick<ModuleContext, 'clock' | 'box' | 'config'>) =>
  implement(webhooks, {
    listWebhooks: ({ read, account }) => listWebhooks(read, account, clock()),
    createWebhook: ({ change, account, caller, body }) => createWebhook(change, { account, caller, body, box, stayPublic, now: clock() }),
    saveWebhook: ({ change, account, caller, body, params }) =>
      saveWebhook(change, { account, caller, body, stayPublic, webhookId: params.webhookId, now: clock() }),
    pauseWebhook: ({ change, account, caller, params }) =>
      pauseWebhook(change, { account, caller, webhookId: params.webhookId, now: clock() }),
    removeWebhook: ({ change, account, caller, params }) =>
      removeWebhook(change, { account, caller, webhookId: params.webhookId, now: clock() }),
    rotateWebhookSecret: ({ change, account, caller, params }) =>
      rotateWebhookSecret(change, { account, caller, box, webhookId: params.webhookId, now: clock() }),
    testWebhook: ({ change, account, params }) => testWebhook(change, { webhookId: params.webhookId, account, now: clock() }),
    listDeliveries: ({ read, account, params, query }) =>
      listDeliveries(read, { ...query, webhookId: params.webhookId, account, now: clock() }),
    getDelivery: ({ read, account, params }) =>
      getDelivery(read, { webhookId: params.webhookId, deliveryId: params.deliveryId, account, now: clock() }),
    replayDelivery: ({ change, account, params }) =>
      replayDelivery(change, { webhookId: params.webhookId, deliveryId: params.deliveryId, account, now: clock() }),
  });
