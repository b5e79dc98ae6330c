import type { Module } from '../../platform/module.ts';
import { contactsWords } from './activity-words.ts';

import { linkToAccount } from './link-requests.ts';
import { contactAddressActs, contactRoutes } from './routes.ts';
import { attendToDeadlines } from './deadlines.ts';

export const contactsModule: Module = {
  name: 'contacts',
  tables: ['accessRequest', 'accessReview', 'accessReviewLine', 'invitation', 'linkAttempt', 'permissionDecision', 'registryRequest'],
  routes: contactRoutes,
  tasks: [linkToAccount],
  addressActs: ({ config }) => contactAddressActs(config),
  schedule: [{ name: 'contacts.attendToDeadlines', every: 10, run: ({ db, clock }) => attendToDeadlines(db, clock()) }],
  words: contactsWords,
};
