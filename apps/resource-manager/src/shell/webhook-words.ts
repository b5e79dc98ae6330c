import { activityCategories } from '@portal/contract/activity-log/activity-log';
import type { Webhook, WebhookDelivery } from '@portal/contract/webhooks/webhooks';
import type { State } from '@portal/ui';

export const webhooksPath = '/resources/registry-api/webhooks';
export const newWebhookPath = '/resources/registry-api/webhook-create';
export const webhookPath = (webhookId: string): string => `/resources/registry-api/webhook?webhook=${webhookId}`;

/** State of a webhook on the screen; a failing one is marked before it is turned off. */
export function stateOf({ state, failingSince }: Webhook): readonly [State, string] {
  if (state === 'paused') return ['closed', 'Paused'];
  if (state === 'disabled') return ['invalid', 'Turned off'];
  if (state === 'creator-gone') return ['warning', 'Blocked: its owner lost access'];
  return failingSince === null ? ['valid', 'Active'] : ['warning', 'Failing'];
}

export const deliveryStates: Record<WebhookDelivery['state'], readonly [State, string]> = {
  waiting: ['pending', 'Waiting'],
  delivered: ['valid', 'Delivered'],
  failed: ['invalid', 'Failed'],
};

/** The subjects it wants as words: "Resources, Whois". */
export const subjectsOf = ({ categories }: Pick<Webhook, 'categories'>): string =>
  categories.length === 0 ? 'All activities' : categories.map(category => activityCategories[category]).join(', ');

/** The outcome of an attempt: "200", "500: it answered 500", "no answer". */
export const outcomeOf = ({ status, problem }: { status: number | null; problem: string | null }): string =>
  problem === null ? (status === null ? '' : String(status)) : problem[0]!.toUpperCase() + problem.slice(1);
