import { isUtf8 } from 'node:buffer';
import Stripe from 'stripe';
import { circuitBreaker } from '../platform/circuit-breaker.ts';

/** An order for a hosted checkout. `amount` is in hundredths of the currency, as on invoices. */
export type CheckoutOrder = {
  /** Asked again with the same key, the provider answers the same checkout. */
  key: string;
  currency: string;
  amount: number;
  description: string;
  /** Comes back with every event. */
  reference: string;
  paidUrl: string;
  cancelUrl: string;
};

/** News of the provider about a checkout. `payment` names the money; `amount` is in hundredths of the currency. */
export type CheckoutEvent = {
  providerId: string;
  reference: string;
  happened: { kind: 'paid'; payment: string; currency: string; amount: number } | { kind: 'expired' } | { kind: 'failed' };
};

/** News of the provider about money that someone has to look at. `payment` names the money; `amount` is in hundredths of the currency. */
export type ProviderNews = {
  /** The same however often it is reported. */
  eventId: string;
  kind: 'refunded' | 'disputed' | 'dispute-won' | 'dispute-lost' | 'wrong-currency' | 'unknown-checkout' | 'ended-checkout';
  payment: string;
  currency: string;
  amount: number;
};

/** An event was not signed by the provider, or too long ago. */
export class ForgedEvent extends Error {}

/** Seconds within which an event is taken; older ones are replayed by someone. */
const TOLERANCE_S = 300;
const PATIENCE_MS = 20_000;

/** Currencies that Stripe counts in whole units, and in thousandths (docs.stripe.com/currencies, "Minor units"); all others it counts in hundredths. */
const wholeUnits = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const thousandths = new Set('BHD JOD KWD OMR TND'.split(' '));

/** Returns an amount in hundredths as Stripe counts the currency. @throws Error for a part of a unit that the currency does not have */
export function unitsOf(hundredths: number, currency: string): number {
  const code = currency.toUpperCase();
  if (thousandths.has(code)) return hundredths * 10;
  if (!wholeUnits.has(code)) return hundredths;
  if (hundredths % 100 !== 0) throw new Error(`${code} has no parts of a unit, and ${hundredths / 100} has one.`);
  return hundredths / 100;
}

/** Returns what Stripe counts as hundredths of the currency. Stripe takes thousandths in tens only. */
export function hundredthsOf(units: number, currency: string): number {
  const code = currency.toUpperCase();
  if (thousandths.has(code)) return Math.floor(units / 10);
  return wholeUnits.has(code) ? units * 100 : units;
}

/** Returns what an event says about money that went back, or may; null for other events. */
function newsOf(event: Stripe.Event): ProviderNews | null {
  const about = (
    kind: ProviderNews['kind'],
    of: { payment_intent?: unknown; id: string; currency: string },
    units: number,
  ): ProviderNews => {
    const currency = of.currency.toUpperCase();
    const payment = typeof of.payment_intent === 'string' ? of.payment_intent : of.id;
    return { eventId: event.id, kind, payment, currency, amount: hundredthsOf(units, currency) };
  };
  switch (event.type) {
    case 'charge.refunded':
      return about('refunded', event.data.object, event.data.object.amount_refunded);
    case 'charge.dispute.created':
      return about('disputed', event.data.object, event.data.object.amount);
    case 'charge.dispute.closed':
      return about(event.data.object.status === 'lost' ? 'dispute-lost' : 'dispute-won', event.data.object, event.data.object.amount);
    default:
      return null;
  }
}

/** Stripe's hosted checkout, by its own library. `url` is its API, or a stand-in of it. */
export function stripeCheckout({ key, webhookSecret, url }: { key: string; webhookSecret: string; url: string }) {
  const { protocol, hostname, port } = new URL(url);
  const stripe = new Stripe(key, {
    host: hostname,
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    protocol: protocol === 'http:' ? 'http' : 'https',
    timeout: PATIENCE_MS,
    maxNetworkRetries: 1,
    telemetry: false,
  });
  const whileItAnswers = circuitBreaker('Stripe', error => error instanceof Stripe.errors.StripeConnectionError);
  return {
    name: 'Stripe',
    create: async ({ key: idempotencyKey, currency, amount, description, reference, paidUrl, cancelUrl }: CheckoutOrder) => {
      const order: Stripe.Checkout.SessionCreateParams = {
        mode: 'payment',
        client_reference_id: reference,
        line_items: [
          {
            quantity: 1,
            price_data: { currency: currency.toLowerCase(), unit_amount: unitsOf(amount, currency), product_data: { name: description } },
          },
        ],
        success_url: paidUrl,
        cancel_url: cancelUrl,
      };
      const session = await whileItAnswers(() => stripe.checkout.sessions.create(order, { idempotencyKey }));
      if (session.url === null) throw new Error(`Stripe opened checkout ${session.id} without a page.`);
      return { providerId: session.id, page: session.url, expiresAt: new Date(session.expires_at * 1000).toISOString() };
    },
    /** Ends a checkout, so that no one pays it any more. Answers how it ended: `paid` for one that was completed before. */
    expire: async (providerId: string): Promise<'expired' | 'paid'> => {
      try {
        await whileItAnswers(() => stripe.checkout.sessions.expire(providerId));
        return 'expired';
      } catch (error) {
        // Only an open one can be ended.
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
        const { status } = await whileItAnswers(() => stripe.checkout.sessions.retrieve(providerId));
        if (status === 'open' || status === null) throw error;
        return status === 'complete' ? 'paid' : 'expired';
      }
    },
    /** Reads an event as it was sent; null for one that changes nothing about money. @throws ForgedEvent */
    read: (body: Buffer, signature: string): CheckoutEvent | { news: ProviderNews } | null => {
      // Its library would look for the bytes that are none, one by one.
      if (!isUtf8(body)) throw new ForgedEvent('The event is not UTF-8');
      let event: Stripe.Event;
      try {
        event = stripe.webhooks.constructEvent(body, signature, webhookSecret, TOLERANCE_S);
      } catch (error) {
        throw new ForgedEvent((error as Error).message);
      }
      const news = newsOf(event);
      if (news) return { news };
      if (!event.type.startsWith('checkout.session.')) return null;
      const session = event.data.object as Stripe.Checkout.Session;
      const about = { providerId: session.id, reference: session.client_reference_id ?? '' };
      // Bank debits complete first and are paid days later.
      const isPaid =
        (event.type === 'checkout.session.completed' && session.payment_status === 'paid') ||
        event.type === 'checkout.session.async_payment_succeeded';
      if (isPaid) {
        const payment = typeof session.payment_intent === 'string' ? session.payment_intent : (session.payment_intent?.id ?? session.id);
        const currency = (session.currency ?? '').toUpperCase();
        return { ...about, happened: { kind: 'paid', payment, currency, amount: hundredthsOf(session.amount_total ?? 0, currency) } };
      }
      if (event.type === 'checkout.session.expired') return { ...about, happened: { kind: 'expired' } };
      return event.type === 'checkout.session.async_payment_failed' ? { ...about, happened: { kind: 'failed' } } : null;
    },
  };
}
