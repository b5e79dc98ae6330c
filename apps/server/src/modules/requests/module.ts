import type { Module } from '../../platform/module.ts';
import { requestsWords } from './activity-words.ts';
import { requestsAttention } from './attention.ts';
import { runListingDeadlines } from './listing-deadlines.ts';
import { publishedFiles } from './published-files.ts';
import { runRequestDeadlines } from './request-deadlines.ts';
import { requestRoutes } from './routes.ts';
import { countSubaccountRequests } from './subaccount-requests.ts';

export const requestsModule: Module = {
  name: 'requests',
  tables: ['listing', 'listingMessage', 'preApproval', 'resourceRequest', 'resourceRequestEvent'],
  routes: requestRoutes,
  pages: publishedFiles,
  schedule: [
    { name: 'requests.runRequestDeadlines', every: 10, run: ({ db, clock, profile }) => runRequestDeadlines(db, clock(), profile) },
    { name: 'requests.runListingDeadlines', every: 60, run: ({ db, clock, profile }) => runListingDeadlines(db, clock(), profile) },
  ],
  attention: requestsAttention,
  countSubaccountRequests,
  words: requestsWords,
};
