import type { Module } from '../../platform/module.ts';
import { requestsWords } from './activity-words.ts';
import { requestsAttention } from './attention.ts';
import { publishedFiles } from './published-files.ts';
import { runRequestDeadlines } from './request-deadlines.ts';
import { requestRoutes } from './routes.ts';

export const requestsModule: Module = {
  name: 'requests',
  tables: ['preApproval', 'resourceRequest', 'resourceRequestEvent'],
  routes: requestRoutes,
  pages: publishedFiles,
  schedule: [
    { name: 'requests.runRequestDeadlines', every: 10, run: ({ db, clock, profile }) => runRequestDeadlines(db, clock(), profile) },
  ],
  attention: requestsAttention,
  words: requestsWords,
};
