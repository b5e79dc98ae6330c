import type { Module } from '../../platform/module.ts';
import { staffWords } from './activity-words.ts';
import { mailReminders, notifyWatchers } from './case-watches.ts';
import { staffRoutes } from './routes.ts';
import { findForStaff } from './staff-finder.ts';

export const staffModule: Module = {
  name: 'staff',
  tables: ['caseLink', 'caseReminder', 'caseWatch', 'replyTemplate', 'savedQueue', 'staffVisit'],
  routes: () => staffRoutes,
  findEverywhere: findForStaff,
  schedule: [
    { name: 'staff.cases.notifyWatchers', every: 5, run: ({ db }) => notifyWatchers(db) },
    {
      name: 'staff.cases.mailReminders',
      every: 10,
      run: ({ db, clock, profile }) => mailReminders(db, { now: clock(), timeZone: profile.timeZone }),
    },
  ],
  words: staffWords,
  keeps: [
    {
      of: 'login',
      data: 'Cases that a person of registry staff watches, wants to be reminded of or has linked',
      purpose: 'To work on cases of members',
      until: 'Until the person removes them',
      tables: ['caseLink', 'caseReminder', 'caseWatch'],
    },
  ],
};
