import { forGood } from '../../platform/kept-data.ts';
import type { Module } from '../../platform/module.ts';
import { securityAddressAct } from './account-safety.ts';
import { contactThingNames } from './act-names.ts';
import { contactsWords } from './activity-words.ts';
import { contactsAttention } from './attention.ts';
import { contactEmailActs } from './contact-email.ts';
import { findContacts } from './contact-finder.ts';
import { runContactDeadlines } from './deadlines.ts';
import { tellOfErasedContact } from './erased-contacts.ts';
import { linkToAccount } from './link-requests.ts';
import { contactRoutes } from './routes.ts';
import { contactsPersonal } from './personal-data.ts';
import { contactsTexts } from './mail-texts.ts';

export const contactsModule: Module = {
  name: 'contacts',
  mailTexts: contactsTexts,
  tables: ['accessRequest', 'accessReview', 'accessReviewLine', 'invitation', 'linkAttempt', 'permissionDecision', 'registryRequest'],
  personal: contactsPersonal,
  routes: () => contactRoutes,
  tasks: [linkToAccount, tellOfErasedContact],
  addressActs: context => [securityAddressAct, ...contactEmailActs(context)],
  schedule: [{ name: 'contacts.runContactDeadlines', every: 10, run: ({ db, clock }) => runContactDeadlines(db, clock()) }],
  attention: contactsAttention,
  find: findContacts,
  actNames: contactThingNames,
  words: contactsWords,
  demo: () => import('./demo.ts'),
  keeps: [
    {
      of: 'contact',
      data: 'Requests for access and for changes of contacts: name, e-mail address and reason',
      purpose: 'To let a contact decide who acts for the account',
      from: 'after the decision',
      ends: 'accessRequests',
      tables: ['accessRequest', 'registryRequest'],
      over: [
        { table: 'accessRequest', after: 'resolvedAt' },
        { table: 'registryRequest', after: 'resolvedAt' },
      ],
    },
    {
      of: 'contact',
      data: 'Invitations, and which permissions a contact was given or kept',
      purpose: 'To let a contact decide who acts for the account',
      until: forGood,
      ends: 'record',
      tables: ['accessReviewLine', 'permissionDecision', 'invitation'],
    },
    {
      of: 'contact',
      data: 'Attempts to link a login to an account: internet address. The activity log keeps its line of each',
      purpose: 'To notice those who try account names',
      from: 'after the attempt',
      ends: 'linkAttempts',
      tables: ['linkAttempt'],
      over: [{ table: 'linkAttempt', after: 'askedAt' }],
    },
  ],
};
