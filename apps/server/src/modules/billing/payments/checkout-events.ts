import { dayIn } from '@portal/contract/days';
import { limitBodies } from '../../../platform/http/body-limit.ts';
import type { Module } from '../../../platform/module.ts';
import { ForgedEvent } from '../../../adapters/stripe-checkout.ts';
import { checkoutProvider } from '../checkout-provider.ts';
import { receiveCheckoutEvent } from './checkouts.ts';
import { receiveProviderNews } from './provider-reports.ts';

/** Maximum size of an event in bytes: those about checkouts have some thousand. Its signature and JSON are read on the event loop. */
export const largestCheckoutEvent = 64 * 1024;

/**
 * The webhook of the payment provider: POST /checkout-events/stripe, signed. An unsigned or old event is answered 400; one that can't be recorded now
 * is answered 500, and the provider repeats it.
 */
export const checkoutEvents: NonNullable<Module['pages']>['serve'] = (http, { db, profile, clock, outside, log }) => {
  void http.register((scope, _options, done) => {
    limitBodies(scope, largestCheckoutEvent);
    // The signature covers the raw bytes.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
    scope.post('/checkout-events/stripe', async (request, reply) => {
      void reply.header('cache-control', 'no-store');
      const provider = outside(checkoutProvider);
      if (!provider) return reply.code(404).send({ received: false });
      try {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const event = provider.read(body, String(request.headers['stripe-signature'] ?? ''));
        const news =
          event === null
            ? null
            : 'news' in event
              ? event.news
              : await receiveCheckoutEvent(db, event, { today: dayIn(profile.timeZone, clock()), profile });
        if (news) {
          log.warn('a payment provider event waits at the desk', { kind: news.kind, payment: news.payment });
          await receiveProviderNews(db, news, profile);
        }
        return await reply.send({ received: true });
      } catch (error) {
        if (!(error instanceof ForgedEvent)) throw error;
        log.warn('a payment provider event is not signed as it should be', { problem: error.message });
        return reply.code(400).send({ received: false });
      }
    });
    done();
  });
};
