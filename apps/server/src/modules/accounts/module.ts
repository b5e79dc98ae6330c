import type { Module } from '../../platform/module.ts';

import { accountRoutes } from './routes.ts';

export const accountsModule: Module = {
  name: 'accounts',
  tables: ['account', 'accountSafety', 'contact'],
  routes: () => [accountRoutes],
};
