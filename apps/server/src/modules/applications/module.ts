import { applicationsOfStaff } from './applications-of-staff.ts';
import type { Module } from '../../platform/module.ts';
import { applicationNames } from './act-names.ts';
import { applicationsWords } from './activity-words.ts';
import { applicationsAttention } from './attention.ts';
import { runApplicationDeadlines } from './deadlines.ts';
import { applicationRoutes } from './routes.ts';
import { applicationsPersonal } from './personal-data.ts';
import { applicationsTexts } from './mail-texts.ts';

export const applicationsModule: Module = {
  name: 'applications',
  mailTexts: applicationsTexts,
  tables: ['applicationDraft', 'applicationEvent', 'membershipApplication', 'referral', 'reservedAccountName'],
  personal: applicationsPersonal,
  routes: () => applicationRoutes,
  schedule: [{ name: 'applications.runApplicationDeadlines', every: 10, run: ({ db, clock }) => runApplicationDeadlines(db, clock()) }],
  attention: applicationsAttention,
  actNames: applicationNames,
  staffCases: applicationsOfStaff,
  words: applicationsWords,
  keeps: [
    {
      of: 'contact',
      data: 'Application for membership with its contacts. One that was approved stays, as the agreement with the member',
      purpose: 'To decide the application',
      from: 'after it was rejected, withdrawn or expired',
      ends: 'applications',
      tables: ['membershipApplication', 'applicationEvent'],
      over: [
        {
          table: 'membershipApplication',
          after: 'resolvedAt',
          only: { state: ['rejected', 'withdrawn', 'expired'] },
          with: [
            { table: 'applicationDraft', by: 'membershipApplicationId' },
            { table: 'applicationEvent', by: 'membershipApplicationId' },
            { table: 'referral', by: 'membershipApplicationId', found: 'referralId' },
          ],
        },
      ],
    },
    {
      of: 'contact',
      data: 'Draft of an application',
      purpose: 'To go on writing it',
      until: 'Until it is sent or removed',
      ends: 'changed',
      tables: ['applicationDraft'],
    },
    {
      of: 'contact',
      data: 'Referral: e-mail address and telephone of the person who was proposed',
      purpose: 'To ask them whether they agree',
      from: 'after it was declined, withdrawn or expired. One that an application followed stays as long as that',
      ends: 'referrals',
      tables: ['referral'],
      over: [{ table: 'referral', after: 'since', only: { state: ['declined', 'expired', 'withdrawn'] } }],
    },
  ],
};
