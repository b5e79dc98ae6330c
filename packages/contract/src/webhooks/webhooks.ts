import { rowId } from '../row-ids.ts';
import * as z from 'zod/mini';
import { type ActivityCategory, activityCategories } from '../activity-log/activity-log.ts';
import { corporate, endpoint, group } from '../endpoint.ts';
import { leftAsIs } from '../left-as-is.ts';
import { oneLine } from '../one-line.ts';

/** Webhooks an account can have. */
export const maxWebhooks = 20;
/** Days for which deliveries are listed and can be sent again. */
export const webhookDeliveryDays = 30;
/** A webhook whose deliveries have all failed for this many days is turned off. */
export const webhookPatienceDays = 5;
/** Hours for which the previous secret still signs after a rotation. */
export const webhookOverlapHours = 24;
/** Deliveries of one page. */
export const webhookDeliveryPage = 50;
/** Seconds from one failed attempt to the next; after the last one a delivery has failed. As Standard Webhooks recommends. */
export const webhookRetrySeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;

const Category = z.enum(Object.keys(activityCategories) as [ActivityCategory, ...ActivityCategory[]]);

/**
 * `active`: events are sent. `paused`: a contact turned it off. `disabled`: the registry did, see `disabledWhy`. `creator-gone`: the contact who saved it last is no
 * longer a corporate contact, so nothing is sent until another one saves it.
 */
export const webhookStates = ['active', 'paused', 'disabled', 'creator-gone'] as const;

export const Webhook = z.object({
  webhookId: z.string(),
  label: z.string(),
  url: z.string(),
  /** Subjects of activities that are sent; empty: all. */
  categories: z.array(Category),
  /** Refused attempts are sent too. */
  refusals: z.boolean(),
  state: z.enum(webhookStates),
  disabledWhy: z.nullable(z.string()),
  /** The contact who saved it last. */
  savedBy: z.string(),
  createdAt: z.iso.datetime(),
  /** Until when the secret before the last rotation signs too; null where it doesn't. */
  oldSecretUntil: z.nullable(z.iso.datetime()),
  /** The last attempt to deliver something; null where there was none. */
  lastAttempt: z.nullable(z.object({ at: z.iso.datetime(), status: z.nullable(z.int()), problem: z.nullable(z.string()) })),
  /** Since when every attempt failed; null where the last one succeeded. */
  failingSince: z.nullable(z.iso.datetime()),
  /** Events that wait for their first or next attempt. */
  waiting: z.int(),
});
export type Webhook = z.infer<typeof Webhook>;

export const webhookDeliveryStates = ['waiting', 'delivered', 'failed'] as const;

export const WebhookDelivery = z.object({
  deliveryId: z.string(),
  /** The same for every webhook and attempt: `evt_` and the number of the activity. Header `webhook-id`. */
  eventId: z.string(),
  /** Such as `routes.saveRoutes`: the action of the activity log. */
  type: z.string(),
  state: z.enum(webhookDeliveryStates),
  createdAt: z.iso.datetime(),
  attempts: z.int(),
  /** The next attempt; null where there is none. */
  nextAt: z.nullable(z.iso.datetime()),
  /** HTTP status of the last attempt; null without an answer. */
  status: z.nullable(z.int()),
  problem: z.nullable(z.string()),
  /** How long the last attempt took; null before the first. */
  milliseconds: z.nullable(z.int()),
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WebhookAttempt = z.object({
  at: z.iso.datetime(),
  milliseconds: z.int(),
  status: z.nullable(z.int()),
  problem: z.nullable(z.string()),
  /** The beginning of the answer. */
  answer: z.string(),
});
export type WebhookAttempt = z.infer<typeof WebhookAttempt>;

const settings = {
  label: oneLine(40, 3),
  /** `https://hooks.example.net/registry`. It has to be reachable on the internet. */
  url: oneLine(500, 1),
  /** None: activities of every category. */
  categories: z._default(z.array(Category).check(z.maxLength(20)), []),
  refusals: z._default(z.boolean(), false),
};

const withSecret = z.object({
  webhook: Webhook,
  /** `whsec_` and base64, to check signatures with. Shown once. */
  secret: z.nullable(z.string()),
});

/** Addresses of members that are notified of every activity in their account, signed per Standard Webhooks. */
export const webhooks = group('webhooks', {
  listWebhooks: endpoint({
    method: 'GET',
    path: '/api/:account/webhooks',
    summary: 'The webhooks of the account, by label.',
    access: corporate,
    answer: z.object({ rows: z.array(Webhook) }),
  }),
  createWebhook: endpoint({
    method: 'POST',
    path: '/api/:account/webhooks',
    summary: 'Create a webhook. Its secret is answered once.',
    access: corporate,
    effect: 'keys',
    body: z.object(settings),
    answer: withSecret,
    errors: ['INVALID_REQUEST', 'NO_PERMISSION', 'TOO_MANY_WEBHOOKS', 'WEBHOOK_LABEL_TAKEN'],
    activity: 'Created a webhook',
    onceOnly: ['secret'],
  }),
  saveWebhook: endpoint({
    method: 'PUT',
    path: '/api/:account/webhooks/:webhookId',
    summary: 'Change a webhook, or turn it on again. The person who saves it answers for it from then on.',
    access: corporate,
    effect: 'keys',
    body: z.object(leftAsIs(settings)),
    answer: Webhook,
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'NO_PERMISSION', 'WEBHOOK_LABEL_TAKEN'],
    activity: 'Changed a webhook',
  }),
  pauseWebhook: endpoint({
    method: 'POST',
    path: '/api/:account/webhooks/:webhookId/pause',
    summary: 'Turn a webhook off: events are not sent, and not kept for it, until it is saved again.',
    access: corporate,
    effect: 'protection',
    answer: Webhook,
    errors: ['NOT_FOUND', 'ALREADY_RESOLVED'],
    activity: 'Paused a webhook',
  }),
  removeWebhook: endpoint({
    method: 'DELETE',
    path: '/api/:account/webhooks/:webhookId',
    summary: 'Remove a webhook with its deliveries. This can’t be undone.',
    access: corporate,
    effect: 'protection',
    answer: z.object({ label: z.string() }),
    errors: ['NOT_FOUND'],
    activity: 'Removed a webhook',
  }),
  rotateWebhookSecret: endpoint({
    method: 'POST',
    path: '/api/:account/webhooks/:webhookId/rotation',
    summary: 'Give a webhook a new secret, answered once. For 24 hours both sign.',
    access: corporate,
    effect: 'keys',
    answer: withSecret,
    errors: ['NOT_FOUND'],
    activity: 'Rotated the secret of a webhook',
    onceOnly: ['secret'],
  }),
  testWebhook: endpoint({
    method: 'POST',
    path: '/api/:account/webhooks/:webhookId/test',
    summary: 'Send a test event to a webhook.',
    access: corporate,
    effect: 'reading',
    answer: WebhookDelivery,
    errors: ['NOT_FOUND', 'WEBHOOK_STOPPED'],
    activity: 'Tested a webhook',
  }),
  listDeliveries: endpoint({
    method: 'GET',
    path: '/api/:account/webhooks/:webhookId/deliveries',
    summary: 'The deliveries of a webhook of the last 30 days, newest first.',
    access: corporate,
    query: z.object({
      state: z.optional(z.enum(webhookDeliveryStates)),
      /** Only deliveries older than this one. */
      before: z.optional(rowId()),
    }),
    answer: z.object({ rows: z.array(WebhookDelivery), older: z.boolean() }),
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  }),
  getDelivery: endpoint({
    method: 'GET',
    path: '/api/:account/webhooks/:webhookId/deliveries/:deliveryId',
    summary: 'One delivery with its content and attempts.',
    access: corporate,
    answer: z.object({
      delivery: WebhookDelivery,
      /** JSON, exactly as it is sent. */
      content: z.string(),
      /** The last ones first. */
      attempts: z.array(WebhookAttempt),
    }),
    errors: ['NOT_FOUND'],
  }),
  replayDelivery: endpoint({
    method: 'POST',
    path: '/api/:account/webhooks/:webhookId/deliveries/:deliveryId/replay',
    summary: 'Send a delivery again, with the same id.',
    access: corporate,
    effect: 'reading',
    answer: WebhookDelivery,
    errors: ['NOT_FOUND', 'WEBHOOK_STOPPED'],
    activity: 'Sent an event again',
  }),
});
