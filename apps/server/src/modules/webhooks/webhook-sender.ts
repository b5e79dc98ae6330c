import { openWebhookSender } from '../../adapters/webhook-sender.ts';
import type { OutsideSystem } from '../../platform/module.ts';

/** Calls receivers of webhooks. */
export type WebhookSender = {
  /** Posts content to an address. Never throws: without an answer `status` is null; `problem` is null if and only if the receiver accepted it. */
  send: (
    url: string,
    sent: { headers: Readonly<Record<string, string>>; content: string },
  ) => Promise<{ status: number | null; problem: string | null; answer: string }>;
};

export const webhookSender: OutsideSystem<WebhookSender> = {
  name: 'receivers of webhooks',
  open: ({ config }) => openWebhookSender({ stayPublic: config.webhooksStayPublic, isSandbox: config.sandbox }),
};
