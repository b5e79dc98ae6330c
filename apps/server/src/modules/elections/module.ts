import type { Module } from '../../platform/module.ts';
import { electionsWords } from './activity-words.ts';

import { electionRoutes } from './routes.ts';

export const electionsModule: Module = {
  name: 'elections',
  tables: ['attendance', 'conference', 'election', 'electionWindow'],
  routes: electionRoutes,
  words: electionsWords,
};
