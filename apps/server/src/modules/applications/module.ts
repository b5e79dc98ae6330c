import { applicationsOfStaff } from './applications-of-staff.ts';
import type { Module } from '../../platform/module.ts';
import { applicationNames } from './act-names.ts';
import { applicationsWords } from './activity-words.ts';
import { applicationsAttention } from './attention.ts';
import { runApplicationDeadlines } from './deadlines.ts';
import { applicationRoutes } from './routes.ts';

export const applicationsModule: Module = {
  name: 'applications',
  tables: ['applicationDraft', 'applicationEvent', 'membershipApplication', 'referral', 'reservedAccountName'],
  routes: () => applicationRoutes,
  schedule: [{ name: 'applications.runApplicationDeadlines', every: 10, run: ({ db, clock }) => runApplicationDeadlines(db, clock()) }],
  attention: applicationsAttention,
  actNames: applicationNames,
  staffCases: applicationsOfStaff,
  words: applicationsWords,
};
