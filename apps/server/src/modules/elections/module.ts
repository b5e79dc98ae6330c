import type { Module } from '../../platform/module.ts';
import { electionsWords } from './activity-words.ts';

import { inviteProxies } from './ballots.ts';
import { ownBallots } from './hand-over.ts';
import { electionRoutes } from './routes.ts';
import { electionsAttention } from './attention.ts';
import { freezeRolls } from './roll.ts';
import { findElections, findElectionsEverywhere } from './election-finder.ts';

export const electionsModule: Module = {
  name: 'elections',
  tables: [
    'attendance',
    'ballot',
    'ballotSession',
    'conference',
    'election',
    'electionOption',
    'electionProxy',
    'electionRoll',
    'electionVote',
    'electionWindow',
  ],
  routes: electionRoutes,
  schedule: [
    { name: 'elections.freezeRolls', every: 1, run: ({ db, clock }) => freezeRolls(db, clock()) },
    {
      name: 'elections.inviteProxies',
      every: 1,
      run: ({ db, clock, config, box }) =>
        inviteProxies(db, clock(), { secret: config.votingSystemSecret, own: ownBallots(config), mailing: { appUrl: config.appUrl, box } }),
    },
  ],
  attention: electionsAttention,
  find: findElections,
  findEverywhere: findElectionsEverywhere,
  words: electionsWords,
};
