import { dayIn } from '@portal/contract/days';
import type { Module } from '../../platform/module.ts';
import { billingWords } from './activity-words.ts';

import { fileStorage } from '../documents/index.ts';
import { invoiceFile } from './invoice-acts.ts';
import { invoiceFiles } from './invoices.ts';
import { billingRoutes } from './routes.ts';
import { runBillingSchedule } from './clock.ts';
import { holdIfNeeded } from './holds.ts';
import { lastRunOf } from './open-hold.ts';
import { billingAttention } from './attention.ts';
import { findInvoices, findInvoicesEverywhere } from './invoice-finder.ts';

export const billingModule: Module = {
  name: 'billing',
  tables: [
    'accountCredit',
    'advanceInvoice',
    'billingHold',
    'billingStart',
    'billingStep',
    'feeSchedule',
    'invoice',
    'invoiceLine',
    'ldcEconomy',
    'payment',
    'renewalQuote',
  ],
  routes: ({ config, profile, clock, modules }) =>
    billingRoutes({ secrets: config, fonts: config.certificateFonts, profile, clock, modules }),
  keptFiles: [invoiceFiles],
  addressedFiles: ({ outside }) => [
    { what: 'invoice', open: (read, caller, invoiceId) => invoiceFile(read, outside(fileStorage), caller, invoiceId) },
  ],
  schedule: [
    {
      name: 'billing.runBillingSchedule',
      every: 60,
      run: async ({ db, clock, profile, config, outside }, noted) => {
        const now = clock();
        await holdIfNeeded(db, { now, profile, lastRun: lastRunOf(noted) });
        await runBillingSchedule(db, { now, profile, store: outside(fileStorage), fonts: config.certificateFonts });
        return { ran: dayIn(profile.timeZone, now) };
      },
    },
  ],
  attention: billingAttention,
  find: findInvoices,
  findEverywhere: findInvoicesEverywhere,
  words: billingWords,
};
