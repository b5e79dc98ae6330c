import { dayIn } from '@portal/contract/days';
import { notedThough } from '../../platform/each-alone.ts';
import type { Module } from '../../platform/module.ts';
import { fileStorage } from '../documents/index.ts';
import { billingNames } from './act-names.ts';
import { checkoutProvider } from './checkout-provider.ts';
import { billingWords } from './activity-words.ts';
import { billingInvariants } from './invariants.ts';
import { limitInvariants } from './limits/limit-invariants.ts';
import { bookInvariants } from './books/book-invariants.ts';
import { billingAttachments } from './issuing/attachments.ts';
import { billingAttention } from './attention.ts';
import { runBillingSchedule } from './renewals/clock.ts';
import { holdIfNeeded } from './renewals/holds.ts';
import { invoiceFile, staffEInvoiceFile } from './issuing/invoice-acts.ts';
import { findInvoices, findInvoicesEverywhere } from './invoices/invoice-finder.ts';
import { invoiceFiles } from './invoices/invoices.ts';
import { lastRunOf } from './membership/open-hold.ts';
import { checkoutEvents } from './payments/checkout-events.ts';
import { openCheckout } from './payments/checkouts.ts';
import { endCheckouts } from './payments/ended-checkouts.ts';
import { issueRenewalsAgain } from './renewals/renewals-again.ts';
import { completeReactivations } from './renewals/reactivation.ts';
import { billingRoutes } from './routes.ts';
import { billingPolicyEffects } from './policy-effects.ts';
import { feeRecords } from './fees/fee-records.ts';
import { warnedOf, warnOfMissingFees } from './fees/missing-fees.ts';
import { issueSignUps } from './issuing/sign-up.ts';
import { issueTransferFees } from './issuing/transfer-fees.ts';
import { billingPersonal } from './personal-data.ts';
import { billingTexts } from './mail-texts.ts';
import { incomeFacts } from './books/board-facts.ts';

export const billingModule: Module = {
  name: 'billing',
  boardFacts: { income: incomeFacts },
  mailTexts: billingTexts,
  folders: ['limits', 'periods', 'documents', 'fees', 'membership', 'invoices', 'payments', 'issuing', 'renewals', 'bank', 'books'],
  tables: [
    'accountCredit',
    'advanceInvoice',
    'bankLine',
    'bankStatement',
    'billingHold',
    'billingStart',
    'billingStep',
    'checkout',
    'checkoutPart',
    'closedMonth',
    'creditNote',
    'eInvoice',
    'feeDraft',
    'feeSchedule',
    'holiday',
    'invoice',
    'invoiceLine',
    'jointPayment',
    'jointPaymentInvoice',
    'limitInForce',
    'limitedAct',
    'payment',
    'paymentReversal',
    'providerReport',
    'reactivation',
    'refund',
    'renewalAgain',
    'renewalQuote',
    'transferFee',
  ],
  personal: billingPersonal,
  routes: () => billingRoutes,
  pages: { readsFrom: 'primary', serve: checkoutEvents },
  tasks: [openCheckout],
  keptFiles: [invoiceFiles],
  addressedFiles: ({ outside, profile, config }) => [
    {
      what: 'invoice',
      open: (read, caller, invoiceId) =>
        invoiceFile(read, { store: outside(fileStorage), profile, fonts: config.certificateFonts }, caller, invoiceId),
    },
    { what: 'e-invoice', open: staffEInvoiceFile },
  ],
  attachments: ({ profile, config, outside }) =>
    billingAttachments({ profile, fonts: config.certificateFonts, store: () => outside(fileStorage) }),
  schedule: [
    {
      name: 'billing.runBillingSchedule',
      every: 60,
      run: async ({ db, clock, profile, config, outside }, noted) => {
        const now = clock();
        await holdIfNeeded(db, { now, profile, lastRun: lastRunOf(noted) });
        // An account whose step fails must not open a hold for everyone, as a missed day does.
        return notedThough(
          () => ({ ran: dayIn(profile.timeZone, now) }),
          () => runBillingSchedule(db, { now, profile, store: outside(fileStorage), fonts: config.certificateFonts }),
        );
      },
    },
    {
      name: 'billing.warnOfMissingFees',
      every: 60,
      run: ({ db, clock, profile }, noted) => warnOfMissingFees(db, { today: dayIn(profile.timeZone, clock()), profile }, warnedOf(noted)),
    },
    {
      name: 'billing.issueTransferFees',
      every: 1,
      run: ({ db, clock, profile, config, outside }) =>
        issueTransferFees(db, { now: clock(), profile, store: outside(fileStorage), fonts: config.certificateFonts }),
    },
    {
      name: 'billing.issueSignUps',
      every: 1,
      run: ({ db, clock, profile, config, outside }) =>
        issueSignUps(db, { now: clock(), profile, store: outside(fileStorage), fonts: config.certificateFonts }),
    },
    {
      name: 'billing.issueRenewalsAgain',
      every: 1,
      run: ({ db, clock, profile, config, outside }) =>
        issueRenewalsAgain(db, { now: clock(), profile, store: outside(fileStorage), fonts: config.certificateFonts }),
    },
    {
      name: 'billing.endCheckouts',
      every: 1,
      run: ({ db, clock, outside }) => endCheckouts(db, { now: clock(), provider: outside(checkoutProvider) }),
    },
    {
      name: 'billing.completeReactivations',
      every: 1,
      run: ({ db, clock, profile, modules }) => completeReactivations(db, { now: clock(), profile, modules }),
    },
  ],
  records: [feeRecords],
  attention: billingAttention,
  find: findInvoices,
  findEverywhere: findInvoicesEverywhere,
  policyEffects: billingPolicyEffects,
  actNames: billingNames,
  words: billingWords,
  invariants: [...billingInvariants, ...limitInvariants, ...bookInvariants],
  demo: () => import('./demo.ts'),
  keeps: [
    {
      of: 'contact',
      data: 'Billing address and electronic address on invoices',
      purpose: 'To send invoices that are valid',
      until: 'Permanently, as books and tax law ask',
      ends: 'law',
      tables: ['invoice', 'eInvoice'],
    },
    {
      of: 'contact',
      data: 'Payer and text of bank transfers',
      purpose: 'To match payments with invoices',
      until: 'Permanently, as books and tax law ask',
      ends: 'law',
      tables: ['bankLine'],
    },
  ],
};
