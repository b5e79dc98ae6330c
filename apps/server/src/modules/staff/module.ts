import type { Module } from '../../platform/module.ts';
import { staffWords } from './activity-words.ts';
import { forgetWatches, mailReminders, notifyWatchers, removeStale } from './case-watches.ts';
import { staffPolicyEffects } from './policy-effects.ts';
import { staffRoutes } from './routes.ts';
import { findForStaff } from './staff-finder.ts';
import { staffPersonal } from './personal-data.ts';
import { untilRemoved } from '../../platform/kept-data.ts';
import { staffInvariants } from './invariants.ts';
import { staffTexts } from './mail-texts.ts';

export const staffModule: Module = {
  name: 'staff',
  mailTexts: staffTexts,
  tables: ['caseLink', 'caseReminder', 'caseWatch', 'replyTemplate', 'riskMark', 'savedQueue', 'staffVisit'],
  personal: staffPersonal,
  invariants: staffInvariants,
  routes: () => staffRoutes,
  findEverywhere: findForStaff,
  schedule: [
    { name: 'staff.cases.notifyWatchers', every: 5, run: ({ db }) => notifyWatchers(db) },
    {
      name: 'staff.cases.mailReminders',
      every: 10,
      run: ({ db, clock, profile }) => mailReminders(db, { now: clock(), timeZone: profile.timeZone }),
    },
    { name: 'staff.cases.removeStale', every: 60, run: ({ db }) => removeStale(db) },
  ],
  staffLeft: forgetWatches,
  policyEffects: staffPolicyEffects,
  words: staffWords,
  keeps: [
    {
      of: 'login',
      data: 'Lists of cases that a person of registry staff saved',
      purpose: 'To find them again',
      until: untilRemoved,
      ends: 'changed',
      tables: ['savedQueue'],
    },
    {
      of: 'login',
      data: 'Visits of registry staff to the pages of a member',
      purpose: 'To show the member who looked at its pages',
      from: 'after the visit',
      ends: 'staffVisits',
      tables: ['staffVisit'],
      over: [{ table: 'staffVisit', after: 'until' }],
    },
    {
      of: 'contact',
      data: 'Risk marks that registry staff set on an account, with the reason, which can name its people',
      purpose: 'To protect members from being impersonated, and the registry from fraud',
      from: 'after the last day of the mark',
      ends: 'riskMarks',
      tables: ['riskMark'],
      over: [{ table: 'riskMark', after: 'endsOn' }],
    },
    {
      of: 'login',
      data: 'Cases that a person of registry staff watches or wants to be reminded of',
      purpose: 'To work on cases of members',
      until: 'Until the person removes them or leaves registry staff',
      ends: 'changed',
      tables: ['caseReminder', 'caseWatch'],
    },
    {
      of: 'login',
      data: 'Cases that a person of registry staff has linked',
      purpose: 'To work on cases of members',
      until: 'Until the link is removed',
      ends: 'changed',
      tables: ['caseLink'],
    },
  ],
};
