import type { Module } from '../../platform/module.ts';

import { openFileStore } from '../documents/index.ts';
import { invoiceFile } from './invoice-acts.ts';
import { invoiceFiles } from './invoices.ts';
import { billingRoutes } from './routes.ts';

export const billingModule: Module = {
  name: 'billing',
  tables: ['accountCredit', 'billingStart', 'billingStep', 'feeSchedule', 'invoice', 'invoiceLine', 'ldcEconomy', 'payment'],
  routes: ({ config, profile, clock }) => [billingRoutes({ secrets: config, profile, clock })],
  keptFiles: [invoiceFiles],
  addressedFiles: ({ config }) => {
    const store = openFileStore(config.filesDir);
    return [{ what: 'invoice', open: (read, caller, invoiceId) => invoiceFile(read, store, caller, invoiceId) }];
  },
};
