import type { Module } from '../../platform/module.ts';

import { organisationRoutes } from './routes.ts';

export const organisationsModule: Module = {
  name: 'organisations',
  tables: ['accountClosureRequest', 'organisation', 'organisationChange'],
  routes: ({ profile }) => organisationRoutes(profile),
};
