import { forGood } from '../../platform/kept-data.ts';
import type { Module } from '../../platform/module.ts';
import { registryNow } from '../../platform/registry.ts';
import { electionNames } from './act-names.ts';
import { electionsWords } from './activity-words.ts';
import { freezeAttendees } from './attendee-roll.ts';
import { electionsAttention } from './attention.ts';
import { drawBallots } from './candidates.ts';
import { onElectionPage } from './decision-page.ts';
import { findElections, findElectionsEverywhere } from './election-finder.ts';
import { electionsInvariants } from './invariants.ts';
import { freezeRolls } from './roll.ts';
import { electionRoutes } from './routes.ts';
import { announceVotes, inviteProxies } from './vote-notices.ts';
import { electionsPersonal } from './personal-data.ts';
import { electionsTexts } from './mail-texts.ts';
import { electionFacts } from './board-facts.ts';

export const electionsModule: Module = {
  name: 'elections',
  boardFacts: { elections: electionFacts },
  mailTexts: electionsTexts,
  tables: [
    'attendance',
    'attendeeRoll',
    'attendeeVote',
    'ballot',
    'ballotOrder',
    'ballotSession',
    'ballotSum',
    'conference',
    'election',
    'electionOption',
    'electionProxy',
    'electionRoll',
    'electionVote',
    'electionWindow',
    'nomination',
  ],
  personal: electionsPersonal,
  routes: () => electionRoutes,
  schedule: [
    { name: 'elections.freezeRolls', every: 1, run: ({ db, clock, profile }) => freezeRolls(db, clock(), profile) },
    { name: 'elections.freezeAttendees', every: 1, run: ({ db, clock }) => freezeAttendees(db, clock()) },
    { name: 'elections.announceVotes', every: 1, run: ({ db }) => announceVotes(db) },
    { name: 'elections.drawBallots', every: 1, run: ({ db, clock }) => drawBallots(db, clock()) },
    { name: 'elections.inviteProxies', every: 1, run: context => inviteProxies(registryNow(context)) },
  ],
  attention: electionsAttention,
  find: findElections,
  findEverywhere: findElectionsEverywhere,
  actNames: electionNames,
  decisionPageOf: onElectionPage('elections'),
  words: electionsWords,
  invariants: electionsInvariants,
  demo: () => import('./demo.ts'),
  keeps: [
    {
      of: 'voter',
      data: 'Which person voted for which account, in which capacity and when, without the choice',
      purpose: 'To count each vote once, and to show that it was counted',
      until: forGood,
      ends: 'record',
      tables: ['attendeeVote', 'ballotSession', 'electionVote'],
    },
    {
      of: 'voter',
      data: 'E-mail addresses of attendees, and at which conferences they were',
      purpose: 'To know who may vote as an attendee',
      until: forGood,
      ends: 'record',
      tables: ['attendance', 'attendeeRoll'],
    },
    {
      of: 'voter',
      data: 'Name and e-mail address of a proxy or candidate',
      purpose: 'So that they can vote or stand',
      until: forGood,
      ends: 'record',
      tables: ['electionProxy', 'nomination'],
    },
  ],
};
