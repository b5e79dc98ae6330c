import type { Module } from '../../platform/module.ts';
import { accountThingNames } from './act-names.ts';
import { accountsWords } from './activity-words.ts';

import { accountRoutes } from './routes.ts';

export const accountsModule: Module = {
  name: 'accounts',
  tables: ['account', 'accountSafety', 'contact'],
  routes: () => accountRoutes,
  actNames: accountThingNames,
  words: accountsWords,
};
