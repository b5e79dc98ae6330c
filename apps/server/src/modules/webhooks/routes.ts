import { webhooks } from '@portal/contract/webhooks/webhooks';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { getDelivery, listDeliveries, replayDelivery, testWebhook } from './deliveries.ts';
import { createWebhook, listWebhooks, pauseWebhook, removeWebhook, rotateWebhookSecret, saveWebhook } from './webhooks.ts';

export const webhookRoutes: readonly Implementation[] = [
  implement(webhooks, {
    listWebhooks,
    createWebhook,
    saveWebhook,
    pauseWebhook,
    removeWebhook,
    rotateWebhookSecret,
    testWebhook,
    listDeliveries,
    getDelivery,
    replayDelivery,
  }),
];
