import type { Module } from '../../platform/module.ts';
import { billingWords } from './activity-words.ts';

import { fileStorage } from '../documents/index.ts';
import { invoiceFile } from './invoice-acts.ts';
import { invoiceFiles } from './invoices.ts';
import { billingRoutes } from './routes.ts';
import { runBillingSchedule } from './clock.ts';
import { billingAttention } from './attention.ts';
import { findInvoices, findInvoicesEverywhere } from './invoice-finder.ts';

export const billingModule: Module = {
  name: 'billing',
  tables: ['accountCredit', 'billingStart', 'billingStep', 'feeSchedule', 'invoice', 'invoiceLine', 'ldcEconomy', 'payment'],
  routes: ({ config, profile, clock }) => billingRoutes({ secrets: config, profile, clock }),
  keptFiles: [invoiceFiles],
  addressedFiles: ({ outside }) => [
    { what: 'invoice', open: (read, caller, invoiceId) => invoiceFile(read, outside(fileStorage), caller, invoiceId) },
  ],
  schedule: [
    {
      name: 'billing.runBillingSchedule',
      every: 60,
      run: ({ db, clock, profile, config, outside }) =>
        runBillingSchedule(db, { now: clock(), profile, store: outside(fileStorage), fonts: config.certificateFonts }),
    },
  ],
  attention: billingAttention,
  find: findInvoices,
  findEverywhere: findInvoicesEverywhere,
  words: billingWords,
};
