import * as z from 'zod/mini';
import { endpoint, group, member } from '../endpoint.ts';
import { checkoutStates } from './life.ts';

/** A payment at the provider's own page. */
export const Checkout = z.object({
  checkoutId: z.string(),
  invoiceNumber: z.string(),
  currency: z.string(),
  amount: z.string(),
  /** `starting` until the provider has opened its page, `paid` when the provider has confirmed the money, whatever the browser said before. */
  state: z.enum(checkoutStates),
  /** The page on which to pay, while it is open. */
  page: z.nullable(z.string()),
});
export type Checkout = z.infer<typeof Checkout>;

export const checkouts = group('billing.checkouts', {
  startCheckout: endpoint({
    method: 'POST',
    path: '/api/:account/billing/invoices/:invoiceNumber/checkout',
    summary: 'Pay what is due of an invoice at the payment provider. Asked twice it answers the same checkout, as long as it is open.',
    access: member('member-billing-update', { closed: true }),
    effect: 'drafts',
    answer: Checkout,
    errors: ['NOT_FOUND', 'INVOICE_NOT_PAYABLE', 'CHECKOUT_OFF'],
    activity: 'Started an online payment',
  }),
  getCheckout: endpoint({
    method: 'GET',
    path: '/api/:account/billing/checkouts/:checkoutId',
    summary: 'A payment at the provider: its page, or what became of it.',
    access: member('member-billing-view', { closed: true }),
    answer: Checkout,
    errors: ['NOT_FOUND'],
  }),
});
