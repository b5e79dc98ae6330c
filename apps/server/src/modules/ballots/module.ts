import type { Module } from '../../platform/module.ts';
import { ballotsWords } from './activity-words.ts';
import { sortBallots } from './casting.ts';
import { ballotPages } from './pages.ts';

export const ballotsModule: Module = {
  name: 'ballots',
  pages: (http, { db, config, profile, clock, asset }) =>
    ballotPages(http, {
      db,
      config,
      product: `My${profile.product}`,
      registryName: profile.registryName,
      styleSheet: asset('apps/server/web/public-page.css'),
      clock,
    }),
  schedule: [{ name: 'ballots.sortBallots', every: 10, run: ({ db, clock }) => sortBallots(db, clock()) }],
  words: ballotsWords,
  demo: () => import('./demo.ts'),
};
