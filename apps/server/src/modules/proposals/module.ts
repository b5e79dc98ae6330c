import type { Module } from '../../platform/module.ts';
import { proposalNames } from './act-names.ts';
import { proposalsWords } from './activity-words.ts';
import { proposalRoutes } from './routes.ts';
import { expireProposals } from './proposals.ts';
import { waitingAbout } from './waiting-about.ts';
import { proposalsAttention } from './attention.ts';
import { proposalsPersonal } from './personal-data.ts';
import { proposalsTexts } from './mail-texts.ts';

export const proposalsModule: Module = {
  name: 'proposals',
  mailTexts: proposalsTexts,
  tables: ['proposal', 'twoPersonRule'],
  personal: proposalsPersonal,
  routes: proposalRoutes,
  schedule: [{ name: 'proposals.expireProposals', every: 10, run: ({ db, clock }) => expireProposals(db, clock()) }],
  attention: proposalsAttention,
  decidedBeforeOpening: waitingAbout,
  actNames: proposalNames,
  words: proposalsWords,
};
