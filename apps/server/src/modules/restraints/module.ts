import type { Module } from '../../platform/module.ts';
import { registryNow } from '../../platform/registry.ts';
import { restraintsNames } from './act-names.ts';
import { restraintsWords } from './activity-words.ts';
import { restraintsAttention } from './attention.ts';
import { followRestraints } from './clock.ts';
import { restraintsInvariants } from './invariants.ts';
import { restraintsTexts } from './mail-texts.ts';
import { restraintsPersonal } from './personal-data.ts';
import { restraintsRoutes } from './routes.ts';

export const restraintsModule: Module = {
  name: 'restraints',
  mailTexts: restraintsTexts,
  tables: ['accountRestraint'],
  personal: restraintsPersonal,
  routes: () => restraintsRoutes,
  schedule: [{ name: 'restraints.followRestraints', every: 5, run: context => followRestraints(context.db, registryNow(context)) }],
  attention: restraintsAttention,
  actNames: restraintsNames,
  words: restraintsWords,
  invariants: restraintsInvariants,
};
