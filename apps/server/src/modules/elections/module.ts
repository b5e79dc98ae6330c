import type { Module } from '../../platform/module.ts';
import { electionsWords } from './activity-words.ts';

import { electionRoutes } from './routes.ts';
import { electionsAttention } from './attention.ts';
import { findElections, findElectionsEverywhere } from './election-finder.ts';

export const electionsModule: Module = {
  name: 'elections',
  tables: ['attendance', 'conference', 'election', 'electionWindow'],
  routes: electionRoutes,
  attention: electionsAttention,
  find: findElections,
  findEverywhere: findElectionsEverywhere,
  words: electionsWords,
};
