import { forGood } from '../../platform/kept-data.ts';
import type { Module } from '../../platform/module.ts';
import { legalNames } from './act-names.ts';
import { legalWords } from './activity-words.ts';
import { legalInvariants } from './invariants.ts';
import { legalTexts } from './mail-texts.ts';
import { remindOfTexts } from './notifying.ts';
import { legalPersonal } from './personal-data.ts';
import { legalRoutes } from './routes.ts';

export const legalModule: Module = {
  name: 'legal',
  tables: ['legalVersion', 'legalAcceptance', 'legalReminder'],
  routes: () => legalRoutes,
  schedule: [{ name: 'legal.remindOfTexts', every: 60, run: ({ db, clock, profile }) => remindOfTexts(db, { now: clock(), profile }) }],
  personal: legalPersonal,
  mailTexts: legalTexts,
  actNames: legalNames,
  words: legalWords,
  invariants: legalInvariants,
  demo: () => import('./demo.ts'),
  keeps: [
    {
      of: 'login',
      data: 'Legal texts that you accepted, with version, time and the account for which you did',
      purpose: 'To show what was agreed',
      until: forGood,
      ends: 'record',
      tables: ['legalAcceptance'],
    },
    {
      of: 'login',
      data: 'When you were last reminded to accept a legal text',
      purpose: 'So that you aren’t reminded more than once a week',
      until: 'Permanently; one line for each text',
      ends: 'record',
      tables: ['legalReminder'],
    },
  ],
};
