import { type CheckoutEvent, type CheckoutOrder, type ProviderNews, stripeCheckout } from '../../adapters/stripe-checkout.ts';
import type { Config } from '../../config.ts';
import type { OutsideSystem } from '../../platform/module.ts';

/** A provider of hosted checkouts. */
type CheckoutProvider = {
  name: string;
  /** `expiresAt`: the instant at which the provider ends it (ISO 8601). */
  create(order: CheckoutOrder): Promise<{ providerId: string; page: string; expiresAt: string }>;
  expire(providerId: string): Promise<'expired' | 'paid'>;
  read(body: Buffer, signature: string): CheckoutEvent | { news: ProviderNews } | null;
};

/** Returns the name of the configured provider; null where members don't pay online. */
export const checkoutProviderOf = ({ stripeKey, stripeWebhookSecret }: Pick<Config, 'stripeKey' | 'stripeWebhookSecret'>): string | null =>
  stripeKey === '' || stripeWebhookSecret === '' ? null : 'Stripe';

/** The configured provider; null without its keys. */
export const checkoutProvider: OutsideSystem<CheckoutProvider | null> = {
  name: 'payment provider',
  open: ({ config }) =>
    checkoutProviderOf(config) === null
      ? null
      : stripeCheckout({ key: config.stripeKey, webhookSecret: config.stripeWebhookSecret, url: config.stripeUrl }),
};
