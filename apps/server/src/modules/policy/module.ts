import type { Module } from '../../platform/module.ts';
import { policyNames } from './act-names.ts';
import { policyWords } from './activity-words.ts';
import { policyInvariants } from './invariants.ts';
import { policyTexts } from './mail-texts.ts';
import { remindOfChanges } from './reminders.ts';
import { policyPersonal } from './personal-data.ts';
import { policyRoutes } from './routes.ts';

export const policyModule: Module = {
  name: 'policy',
  tables: ['policyChange', 'policyValue'],
  routes: policyRoutes,
  schedule: [
    {
      name: 'policy.remindOfChanges',
      every: 60,
      run: ({ db, clock, profile, modules }) => remindOfChanges(db, { now: clock(), profile, modules }),
    },
  ],
  personal: policyPersonal,
  mailTexts: policyTexts,
  actNames: policyNames,
  words: policyWords,
  invariants: policyInvariants,
  demo: () => import('./demo.ts'),
};
