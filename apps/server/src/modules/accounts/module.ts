import { untilRemoved } from '../../platform/kept-data.ts';
import type { Module } from '../../platform/module.ts';
import { accountThingNames } from './act-names.ts';
import { accountsWords } from './activity-words.ts';

import { accountRoutes } from './routes.ts';
import { accountsPersonal } from './personal-data.ts';
import { memberFacts } from './board-facts.ts';

export const accountsModule: Module = {
  name: 'accounts',
  boardFacts: { members: memberFacts },
  tables: ['account', 'accountSafety', 'contact'],
  personal: accountsPersonal,
  routes: () => accountRoutes,
  actNames: accountThingNames,
  words: accountsWords,
  keeps: [
    {
      of: 'contact',
      data: 'Name, e-mail address, telephone, type and permissions of a contact',
      purpose: 'To know who acts for a member',
      until: untilRemoved,
      ends: 'changed',
      tables: ['contact'],
    },
    {
      of: 'contact',
      data: 'Address for mails about the safety of an account',
      purpose: 'To warn the member',
      until: untilRemoved,
      ends: 'changed',
      tables: ['accountSafety'],
    },
  ],
};
