import type { Module } from '../../platform/module.ts';
import { ballotsWords } from './activity-words.ts';
import { mixBox, wipeBox } from './box-order.ts';
import { sortBallots } from './casting.ts';
import { ballotsInvariants } from './invariants.ts';
import { ballotPages } from './pages.ts';

export const ballotsModule: Module = {
  name: 'ballots',
  pages: {
    readsFrom: 'primary',
    serve: (http, { db, config, profile, clock, asset }) =>
      ballotPages(http, {
        db,
        config,
        profile,
        styleSheet: asset('apps/server/web/public-page.css'),
        receiptScript: asset('apps/server/web/ballot-receipt.ts'),
        clock,
      }),
  },
  schedule: [
    { name: 'ballots.sortBallots', every: 10, run: ({ db, clock }) => sortBallots(db, clock()) },
    { name: 'ballots.mixBox', every: 1, run: ({ db }) => mixBox(db) },
    { name: 'ballots.wipeBox', every: 60, run: ({ db, clock }) => wipeBox(db, clock()) },
  ],
  words: ballotsWords,
  invariants: ballotsInvariants,
  demo: () => import('./demo.ts'),
};
