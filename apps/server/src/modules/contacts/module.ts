import type { Module } from '../../platform/module.ts';
import { contactsWords } from './activity-words.ts';

import { linkToAccount } from './link-requests.ts';
import { contactAddressActs, contactRoutes } from './routes.ts';
import { runContactDeadlines } from './deadlines.ts';
import { contactsAttention } from './attention.ts';
import { findContacts } from './contact-finder.ts';

export const contactsModule: Module = {
  name: 'contacts',
  tables: ['accessRequest', 'accessReview', 'accessReviewLine', 'invitation', 'linkAttempt', 'permissionDecision', 'registryRequest'],
  routes: contactRoutes,
  tasks: [linkToAccount],
  addressActs: ({ config }) => contactAddressActs(config),
  schedule: [{ name: 'contacts.runContactDeadlines', every: 10, run: ({ db, clock }) => runContactDeadlines(db, clock()) }],
  attention: contactsAttention,
  find: findContacts,
  words: contactsWords,
  demo: () => import('./demo.ts'),
};
