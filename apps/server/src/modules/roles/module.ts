import type { Module } from '../../platform/module.ts';
import { rolesNames } from './act-names.ts';
import { rolesWords } from './activity-words.ts';
import { rolesInvariants } from './invariants.ts';
import { rolesRoutes } from './routes.ts';

export const rolesModule: Module = {
  name: 'roles',
  tables: ['staffAssignment', 'staffGroup', 'staffRole'],
  routes: () => rolesRoutes,
  actNames: rolesNames,
  invariants: rolesInvariants,
  words: rolesWords,
};
