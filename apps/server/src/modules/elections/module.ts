import type { Module } from '../../platform/module.ts';
import { electionsWords } from './activity-words.ts';

import { electionRoutes } from './routes.ts';
import { electionsAttention } from './attention.ts';
import { freezeRolls } from './roll.ts';
import { findElections, findElectionsEverywhere } from './election-finder.ts';

export const electionsModule: Module = {
  name: 'elections',
  tables: ['attendance', 'conference', 'election', 'electionProxy', 'electionRoll', 'electionVote', 'electionWindow'],
  routes: electionRoutes,
  schedule: [{ name: 'elections.freezeRolls', every: 1, run: ({ db, clock }) => freezeRolls(db, clock()) }],
  attention: electionsAttention,
  find: findElections,
  findEverywhere: findElectionsEverywhere,
  words: electionsWords,
};
