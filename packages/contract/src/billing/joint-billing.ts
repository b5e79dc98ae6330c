import * as z from 'zod/mini';
import { calendarDay } from '../calendar-day.ts';
import { endpoint, group, signedIn } from '../endpoint.ts';
import { invoiceKinds, type InvoiceKind, invoiceStates, type InvoiceState } from './billing.ts';
import { Checkout } from './checkouts.ts';

/** The most invoices of one payment. */
export const maxJointInvoices = 50;

const DueInvoice = z.object({
  number: z.string(),
  accountName: z.string(),
  kind: z.enum(Object.keys(invoiceKinds) as [InvoiceKind, ...InvoiceKind[]]),
  issuedOn: z.iso.date(),
  dueOn: z.iso.date(),
  currency: z.string(),
  total: z.string(),
  /** Unpaid amount. */
  balance: z.string(),
  state: z.enum(Object.keys(invoiceStates) as [InvoiceState, ...InvoiceState[]]),
  overdueDays: z.int(),
});
export type DueInvoice = z.infer<typeof DueInvoice>;

const JointAccount = z.object({
  accountName: z.string(),
  orgName: z.string(),
  accountStatus: z.string(),
  /** The caller may pay its invoices. */
  mayPay: z.boolean(),
  currency: z.string(),
  /** Unpaid amount of all its invoices. */
  owed: z.string(),
  /** Paid in advance or too much. */
  credit: z.string(),
  expiryDate: z.nullable(z.iso.date()),
});
export type JointAccount = z.infer<typeof JointAccount>;

/** Invoices that are paid with one transfer or one checkout. Amounts are what is unpaid of them now. */
export const JointPayment = z.object({
  /** `PAY-2026-000001` */
  number: z.string(),
  /** `RF58PAY2026000001`: what the payer quotes. Its check digits find every mistyped digit (ISO 11649). */
  paymentReference: z.string(),
  requestedOn: z.iso.date(),
  currency: z.string(),
  amount: z.string(),
  invoices: z.array(z.object({ number: z.string(), accountName: z.string(), balance: z.string() })),
});
export type JointPayment = z.infer<typeof JointPayment>;

/** Billing of all accounts of a person who may view it. */
export const JointBilling = z.object({
  today: z.iso.date(),
  /** By name. */
  accounts: z.array(JointAccount),
  /** Accounts of the caller whose billing is not shown. */
  leftOut: z.array(z.object({ accountName: z.string(), why: z.enum(['permission', 'second-factor']) })),
  /** Unpaid invoices, the earliest due first. */
  due: z.array(DueInvoice),
  /** Payments of the caller with something left to pay, the newest first. One with an invoice that the caller may no longer pay is left out. */
  payments: z.array(JointPayment),
  /** Payment instructions, one line each. */
  paymentInstructions: z.array(z.string()),
  /** Name of the provider at which they can be paid online; null where they can’t. */
  payOnline: z.nullable(z.string()),
});
export type JointBilling = z.infer<typeof JointBilling>;

/** An online payment of several invoices; its states are those of `Checkout`. */
const JointCheckout = z.object({
  checkoutId: z.string(),
  paymentNumber: z.string(),
  currency: z.string(),
  amount: z.string(),
  state: Checkout.shape.state,
  /** The page on which to pay, while it is open. */
  page: z.nullable(z.string()),
});
export type JointCheckout = z.infer<typeof JointCheckout>;

const day = calendarDay();

export const jointBilling = group('billing.jointBilling', {
  getJointBilling: endpoint({
    method: 'GET',
    path: '/api/joint-billing',
    summary:
      'What all accounts of the signed-in person owe, of those whose billing that person may view, and payments for several invoices.',
    access: signedIn,
    answer: JointBilling,
  }),
  exportJointStatement: endpoint({
    method: 'GET',
    path: '/api/joint-billing/statement',
    summary: 'The statements of all these accounts in one file, account by account, as CSV or JSON.',
    access: signedIn,
    query: z.object({ from: z.optional(day), to: z.optional(day), format: z.enum(['csv', 'json']) }),
    answer: 'download',
    errors: ['INVALID_REQUEST'],
  }),
  combineInvoices: endpoint({
    method: 'POST',
    path: '/api/joint-billing/payments',
    summary: 'Get one payment reference for invoices of one or several accounts. The same invoices again get the same reference.',
    access: signedIn,
    effect: 'drafts',
    body: z.object({
      invoiceNumbers: z
        .array(z.string().check(z.regex(/^INV-\d{4}-\d{6}$/, { error: 'Enter an invoice number, such as INV-2026-000001' })))
        .check(
          z.minLength(2, { error: 'Choose at least 2 invoices' }),
          z.maxLength(maxJointInvoices, { error: `Choose at most ${maxJointInvoices} invoices` }),
        ),
    }),
    answer: JointPayment,
    errors: ['NOT_FOUND', 'INVOICE_NOT_PAYABLE', 'INVALID_REQUEST'],
    activity: 'Combined invoices into one payment',
  }),
  discardJointPayment: endpoint({
    method: 'POST',
    path: '/api/joint-billing/payments/:paymentNumber/discard',
    summary: 'Take a payment for several invoices off the list. A transfer that quotes it is matched all the same.',
    access: signedIn,
    effect: 'drafts',
    errors: ['NOT_FOUND'],
    activity: 'Discarded a payment for several invoices',
  }),
  startJointCheckout: endpoint({
    method: 'POST',
    path: '/api/joint-billing/payments/:paymentNumber/checkout',
    summary:
      'Pay what is due of several invoices at the payment provider. Asked twice it answers the same checkout, as long as it is open.',
    access: signedIn,
    effect: 'drafts',
    answer: JointCheckout,
    errors: ['NOT_FOUND', 'INVOICE_NOT_PAYABLE', 'CHECKOUT_OFF'],
    activity: 'Started an online payment of several invoices',
  }),
  getJointCheckout: endpoint({
    method: 'GET',
    path: '/api/joint-billing/checkouts/:checkoutId',
    summary: 'An online payment of several invoices: its page, or what became of it.',
    access: signedIn,
    answer: JointCheckout,
    errors: ['NOT_FOUND'],
  }),
});
