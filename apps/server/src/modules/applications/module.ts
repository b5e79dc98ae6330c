import type { Module } from '../../platform/module.ts';

import { applicationRoutes } from './routes.ts';

export const applicationsModule: Module = {
  name: 'applications',
  tables: ['applicationDraft', 'applicationEvent', 'membershipApplication', 'referral', 'reservedAccountName'],
  routes: applicationRoutes,
};
