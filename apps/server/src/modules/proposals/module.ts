import type { Module } from '../../platform/module.ts';

import { proposalRoutes } from './routes.ts';

export const proposalsModule: Module = {
  name: 'proposals',
  tables: ['proposal', 'twoPersonRule'],
  routes: ({ perform }) => [
    proposalRoutes({
      perform: (change, { action, ...call }) => perform(action, { ...call, change, query: undefined, traceId: '' }),
    }),
  ],
};
