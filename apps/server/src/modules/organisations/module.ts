import { untilRemoved } from '../../platform/kept-data.ts';
import { changesOfStaff } from './changes-of-staff.ts';
import type { Module } from '../../platform/module.ts';
import { organisationNames } from './act-names.ts';
import { organisationsWords } from './activity-words.ts';

import { organisationRoutes } from './routes.ts';
import { closeDueAccounts } from './closing.ts';
import { restrainedOrganisations } from './restrained.ts';
import { organisationsAttention } from './attention.ts';
import { organisationsPersonal } from './personal-data.ts';
import { organisationsTexts } from './mail-texts.ts';

export const organisationsModule: Module = {
  name: 'organisations',
  mailTexts: organisationsTexts,
  tables: ['accountClosureRequest', 'organisation', 'organisationChange'],
  personal: organisationsPersonal,
  routes: () => organisationRoutes,
  schedule: [
    {
      name: 'organisations.closeDueAccounts',
      every: 60,
      run: ({ db, clock, profile }) => closeDueAccounts(db, { now: clock(), profile }),
    },
  ],
  attention: organisationsAttention,
  actNames: organisationNames,
  staffCases: changesOfStaff,
  restrainedCases: restrainedOrganisations,
  words: organisationsWords,
  demo: () => import('./demo.ts'),
  keeps: [
    {
      of: 'contact',
      data: 'Postal and billing address, telephone and e-mail addresses of an organisation',
      purpose: 'For agreements, invoices and abuse contacts',
      until: untilRemoved,
      ends: 'changed',
      tables: ['organisation'],
    },
  ],
};
