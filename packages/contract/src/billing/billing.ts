import * as z from 'zod/mini';
import { calendarDay } from '../calendar-day.ts';
import { FileAddress } from '../documents/documents.ts';
import { endpoint, group, member, staff } from '../endpoint.ts';
import { bookPermissions } from '../staff-permissions.ts';
import { ifMissing } from '../if-missing.ts';
import { oneLine } from '../one-line.ts';
import { organisationDetails } from '../organisations/organisations.ts';
import { severalLines } from '../several-lines.ts';
import { rowVersion } from '../whole-numbers.ts';
import { invoiceLife } from './life.ts';

/** States of an invoice, with their labels. */
export const invoiceStates = {
  unpaid: 'Unpaid',
  'partly-paid': 'Partly paid',
  overdue: 'Overdue',
  paid: 'Paid',
  cancelled: 'Cancelled',
  'written-off': 'Written off',
} as const;
export type InvoiceState = keyof typeof invoiceStates;

/** Kinds of invoices, with their labels. The fees of a transfer and of a reactivation have no term. */
export const invoiceKinds = {
  renewal: 'Membership',
  transfer: 'Transfer fee',
  reactivation: 'Reactivation fee',
  'sign-up': 'Sign-up',
} as const;
export type InvoiceKind = keyof typeof invoiceKinds;

/** Returns whether an invoice pays for a term of the membership. */
export const isOfTerm = ({ kind }: { kind: InvoiceKind }): boolean => kind === 'renewal' || kind === 'sign-up';

/** An amount of money is a decimal number with two places, in the currency beside it; never a fraction of a cent. */
const Amount = z.string();

/** An amount that a person enters, above zero. */
export const MoneyAmount = z.string(ifMissing('Enter an amount, such as 2137.32, without currency or commas')).check(
  z.trim(),
  z.regex(/^(?!0+(\.0+)?$)\d{1,9}(\.\d{1,2})?$/, {
    error: 'Enter an amount, such as 2137.32, without currency or commas',
  }),
);

/** A payment of an invoice. */
const Payment = z.object({
  /** `REC-2026-000001-1`: the number of its receipt. */
  receipt: z.string(),
  method: z.enum(['bank transfer', 'credit', 'card']),
  amount: Amount,
  receivedOn: z.iso.date(),
  reference: z.string(),
  /** It counts no more: it bounced, was taken back or was of another invoice. Null for one that stands. */
  reversed: z.nullable(
    z.object({
      /** `RV-2026-000001` */
      number: z.string(),
      on: z.iso.date(),
      reason: z.string(),
    }),
  ),
});

/** An invoice of the registry. Days are those of the registry's time zone. */
export const Invoice = z.object({
  /** `INV-2026-000001` */
  number: z.string(),
  kind: z.enum(Object.keys(invoiceKinds) as [InvoiceKind, ...InvoiceKind[]]),
  /** The billed organisation, by its name at the time of issue. */
  orgName: z.string(),
  issuedOn: z.iso.date(),
  dueOn: z.iso.date(),
  /** The term it pays for, both days in it. */
  periodFrom: z.iso.date(),
  periodTo: z.iso.date(),
  lines: z.array(z.object({ description: z.string(), quantity: z.int(), unitPrice: Amount, amount: Amount })),
  currency: z.string(),
  subtotal: Amount,
  tax: Amount,
  total: Amount,
  paid: Amount,
  /** Amount credited by credit notes. */
  credited: Amount,
  /** Unpaid amount; zero for a cancelled or written-off invoice. */
  balance: Amount,
  state: z.enum(Object.keys(invoiceStates) as [InvoiceState, ...InvoiceState[]]),
  /** Days since it was due, where something is left to pay; otherwise 0. */
  overdueDays: z.int(),
  paidOn: z.nullable(z.iso.date()),
  /** The registry waits until this day before it suspends or closes the account. */
  extendedUntil: z.nullable(z.iso.date()),
  poNumber: z.string(),
  /** `RF94INV2026000001`: what the payer quotes. Its check digits find every mistyped digit (ISO 11649). */
  paymentReference: z.string(),
  /** The oldest first. */
  payments: z.array(Payment),
  /** The oldest first. */
  creditNotes: z.array(
    z.object({
      /** `CN-2026-000001` */
      number: z.string(),
      issuedOn: z.iso.date(),
      total: Amount,
      reason: z.string(),
    }),
  ),
});
export type Invoice = z.infer<typeof Invoice>;

export const StaffInvoice = z.extend(Invoice, {
  accountName: z.string(),
  payments: z.array(
    z.extend(Payment, {
      /** Null for credit, which the registry's clock used. */
      recordedBy: z.nullable(z.string()),
      recordedAt: z.iso.datetime(),
    }),
  ),
  /** Why it was cancelled or written off. */
  cancelReason: z.nullable(z.string()),
});
export type StaffInvoice = z.infer<typeof StaffInvoice>;

/** Steps of the membership billing schedule for a term, in order. */
export const billingSteps = {
  reminder: 'Reminder that the term ends',
  holdings: 'Number resources counted',
  invoice: 'Invoice issued',
  suspension: 'Account suspended, first reminder of the invoice',
  'second-reminder': 'Second reminder of the invoice',
  'closing-warning': 'Warning that the account closes',
  closing: 'Account closed',
} as const;
export type BillingStep = keyof typeof billingSteps;

const Step = z.enum(Object.keys(billingSteps) as [BillingStep, ...BillingStep[]]);

/** Details of the organisation on invoices, which its billing contacts change themselves. */
export const BillingDetails = z.object({
  /** Version of the organisation: a change of what was read earlier is refused with 412 STALE. */
  version: rowVersion,
  orgName: z.string(),
  registrationNumber: z.string(),
  /** None where invoices go to the postal address. */
  billingAddress: z.array(z.string()),
  /** Gets each invoice beside the corporate and billing contacts. */
  billingEmail: z.string(),
  poNumber: z.string(),
  /** ISO 3166 code of where the organisation is resident for tax, as its account has it; null where it is not recorded. */
  taxResidency: z.nullable(z.string()),
  /** The registry’s tax, and its rate on the next invoice, such as `0.10`; null where none is charged. */
  tax: z.object({ name: z.string(), rate: z.nullable(z.string()) }),
  /** The latest document about tax, such as a certificate of residency, among the documents of the account; null for none. */
  taxDocument: z.nullable(z.object({ addedOn: z.iso.date(), validUntil: z.nullable(z.iso.date()) })),
  /** The number that e-invoices ask for in place of the registration number, such as `an ABN of 11 digits`; null where they come already, or the economy has none. */
  eInvoicesLack: z.nullable(z.string()),
});
export type BillingDetails = z.infer<typeof BillingDetails>;

/** An account's invoices, payments and term. */
export const AccountBilling = z.object({
  /** Today, in the registry's time zone. */
  today: z.iso.date(),
  /** Steps of the coming year if nothing more is paid, until the account closes; empty where there are none. */
  ahead: z.array(z.object({ step: Step, day: z.iso.date() })),
  /** Losses on the day the account closes, such as `4 ROAs`. */
  lost: z.array(z.string()),
  /** Of a closed account; null for others. */
  reactivation: z.nullable(
    z.object({
      state: z.enum(['possible', 'too-late', 'open']),
      closedOn: z.nullable(z.iso.date()),
      /** The last day on which it can be started or, of an open one, paid. */
      until: z.nullable(z.iso.date()),
      /** Its fee in addition to the unpaid invoices, before tax; zero if it was waived. */
      fee: Amount,
      /** Unpaid amount of all invoices. */
      owed: Amount,
      /** Why only registry staff start it, or open it when all is paid, to be read after “because”; null where its contacts do. */
      staffOnly: z.nullable(z.string()),
    }),
  ),
  /** The first day of a term that can’t be billed, because the registry has announced no fees for it; null where it can be. */
  feesMissing: z.nullable(z.iso.date()),
  /** Days after the end of a term on which the invoice of the next one is issued, and on which it is due. */
  calendar: z.object({ invoiceDays: z.int(), dueDays: z.int() }),
  /** Months after closing in which the account can be opened again; 0: it can't. */
  reactivationMonths: z.int(),
  /** Days from a suspension until ROAs are no longer published; null: they stay. */
  rpkiSuspensionDays: z.nullable(z.int()),
  details: BillingDetails,
  /** The newest first. */
  invoices: z.array(Invoice),
  currency: z.string(),
  /** Paid in advance or too much; the next invoice uses it. */
  credit: Amount,
  /** Credit that was refunded, newest first. */
  refunds: z.array(z.object({ refundedOn: z.iso.date(), currency: z.string(), amount: Amount, reference: z.string(), reason: z.string() })),
  accountStatus: z.string(),
  expiryDate: z.nullable(z.iso.date()),
  /** False if no fee is due or memberships are not billed: no invoice follows the term. */
  renews: z.boolean(),
  /** Payment instructions, one line each. */
  paymentInstructions: z.array(z.string()),
  /** QR codes that banking apps read, for the unpaid invoices in a currency that has them: a path of the dark modules in a square of `size` of them. */
  payCodes: z.array(z.object({ number: z.string(), size: z.int(), path: z.string() })),
  /** Numbers of the invoices that are also e-invoices (UBL), with their credit notes: those of economies that the registry writes them for. */
  eInvoices: z.array(z.string()),
  /** Name of the provider at which invoices can be paid online; null where they can’t. */
  payOnline: z.nullable(z.string()),
});
export type AccountBilling = z.infer<typeof AccountBilling>;

export const StaffAccountBilling = z.extend(AccountBilling, {
  invoices: z.array(StaffInvoice),
  /** Next step of the schedule and its day; null if there is none for this account. */
  next: z.nullable(z.object({ step: Step, day: z.iso.date() })),
  /** The renewal of the term was cancelled, so that nothing is billed for it: it can be billed again, or was asked for and is issued within a minute. Null otherwise. */
  again: z.nullable(z.enum(['possible', 'asked'])),
});
export type StaffAccountBilling = z.infer<typeof StaffAccountBilling>;

const day = calendarDay();
const staffErrors = ['NOT_FOUND', 'OWN_REQUEST'] as const;

export const billing = group('billing', {
  getBilling: endpoint({
    method: 'GET',
    path: '/api/:account/billing',
    publicApi: { path: '/billing', scope: 'billing:read' },
    summary: 'The invoices of the account, newest first, its credit, and how to pay.',
    access: member('member-billing-view', { staff: bookPermissions, closed: true }),
    answer: AccountBilling,
  }),
  updateBillingDetails: endpoint({
    method: 'PATCH',
    path: '/api/:account/billing/details',
    summary: 'Change the billing address, the e-mail address for invoices and the purchase order number. The next invoice shows them.',
    access: member('member-billing-update'),
    effect: 'money',
    limit: { none: 'it changes what invoices say, and nothing that is owed' },
    body: z.object({
      version: rowVersion,
      billingAddress: z.optional(organisationDetails.billingAddress),
      billingEmail: z.optional(organisationDetails.billingEmail),
      poNumber: z.optional(organisationDetails.poNumber),
    }),
    answer: AccountBilling,
    errors: ['STALE'],
    activity: 'Changed billing details',
  }),
  exportStatement: endpoint({
    method: 'GET',
    path: '/api/:account/billing/statement',
    publicApi: { path: '/billing/statement', scope: 'billing:read' },
    summary: 'Every invoice, payment and cancellation of the account with the balance after it, oldest first, as CSV or JSON.',
    access: member('member-billing-view', { closed: true }),
    query: z.object({ from: z.optional(day), to: z.optional(day), format: z.enum(['csv', 'json']) }),
    answer: 'download',
  }),
  downloadStatement: endpoint({
    method: 'GET',
    path: '/api/:account/billing/statement/pdf',
    publicApi: { path: '/billing/statement/pdf', scope: 'billing:read' },
    summary: 'The statement of the account as a PDF: everything charged and received, with the balance after each line.',
    access: member('member-billing-view', { closed: true }),
    query: z.object({ from: z.optional(day), to: z.optional(day) }),
    answer: 'download',
    downloads: ['pdf'],
  }),
  openInvoice: endpoint({
    method: 'POST',
    path: '/api/:account/billing/invoices/:invoiceNumber/address',
    summary: 'An address for a minute of an invoice as a PDF, for the caller only. It is the same file every time.',
    access: member('member-billing-view', { closed: true }),
    effect: 'reading',
    answer: FileAddress,
    errors: ['NOT_FOUND'],
    activity: 'Opened an invoice',
  }),
  getStaffBilling: endpoint({
    method: 'GET',
    path: '/api/staff/accounts/:accountName/billing',
    summary: 'Invoices and payments of any account, closed ones included, and what the clock of memberships does next.',
    access: staff(bookPermissions),
    answer: StaffAccountBilling,
    errors: ['NOT_FOUND'],
  }),
  openStaffInvoice: endpoint({
    method: 'POST',
    path: '/api/staff/invoices/:invoiceNumber/address',
    summary: 'An address for a minute of any invoice as a PDF, for the caller only.',
    access: staff([...bookPermissions, 'audit']),
    effect: 'reading',
    answer: FileAddress,
    errors: ['NOT_FOUND'],
    activity: 'Opened an invoice',
  }),
  openStaffEInvoice: endpoint({
    method: 'POST',
    path: '/api/staff/e-invoices/:documentNumber/address',
    summary:
      'An address for a minute of the e-invoice of any invoice or credit note, for the caller only. Only of invoices that have one: see `eInvoices` of the billing.',
    access: staff([...bookPermissions, 'audit']),
    effect: 'reading',
    answer: FileAddress,
    errors: ['NOT_FOUND'],
    activity: 'Opened an e-invoice',
  }),
  recordPayment: endpoint({
    method: 'POST',
    path: '/api/staff/invoices/:invoiceNumber/payments',
    moves: invoiceLife.pay,
    summary:
      'Record a bank transfer. A paid renewal opens the account for another year from the end of its term; what is too much becomes credit of the account.',
    access: staff('payments'),
    effect: 'money',
    limit: 'received',
    body: z.object({
      amount: MoneyAmount,
      receivedOn: day,
      /** The reference of the transfer. One that was recorded before is asked about, regardless of spaces, dashes, case or look-alike letters. */
      reference: oneLine(100, 1),
      /** Confirms that it is a different transfer from the one that looks the same (PAYMENT_ALIKE). */
      isAnother: z.optional(z.boolean()),
      /** Confirms that the money came before the invoice was issued (PAYMENT_EARLY). */
      isEarly: z.optional(z.boolean()),
    }),
    answer: StaffInvoice,
    errors: [...staffErrors, 'INVOICE_NOT_PAYABLE', 'PAYMENT_ALIKE', 'PAYMENT_EARLY', 'PERIOD_CLOSED'],
    secondPersonWhen: 'more than one person may record, or a transfer that looks like a recorded one',
    activity: 'Recorded a payment',
  }),
  extendInvoice: endpoint({
    method: 'POST',
    path: '/api/staff/invoices/:invoiceNumber/extension',
    summary: 'Give more time: the account is neither suspended nor closed before this day. When the invoice is due stays.',
    access: staff('billing'),
    effect: 'money',
    limit: 'time',
    body: z.object({ until: day, reason: severalLines(500, 1) }),
    answer: StaffInvoice,
    errors: [...staffErrors, 'INVOICE_SETTLED'],
    secondPersonWhen: 'more time than one person may give',
    activity: 'Extended the due date of an invoice',
  }),
  cancelInvoice: endpoint({
    method: 'POST',
    path: '/api/staff/invoices/:invoiceNumber/cancel',
    moves: invoiceLife.cancel,
    summary:
      'Cancel an invoice nothing was paid for, with the reason, by a credit note. Its number stays in use, and nothing else is billed for the term until staff let it be billed again.',
    access: staff('billing'),
    effect: 'money',
    limit: 'given',
    body: z.object({ reason: severalLines(500, 1) }),
    answer: StaffInvoice,
    errors: [...staffErrors, 'INVOICE_SETTLED'],
    secondPersonWhen: 'more than one person may give',
    activity: 'Cancelled an invoice',
  }),
});
