import type { Module } from '../../platform/module.ts';
import { resourcesWords } from './activity-words.ts';

import { resourceRoutes } from './routes.ts';
import { resourcesAttention } from './attention.ts';
import { findResources } from './resource-hits.ts';

export const resourcesModule: Module = {
  name: 'resources',
  tables: ['assignment', 'delegation', 'pool', 'statisticsFile'],
  routes: () => [resourceRoutes],
  attention: resourcesAttention,
  find: findResources,
  lostOnClosing: async (read, accountName) => {
    const { count } = await read
      .selectFrom('delegation')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('accountName', '=', accountName)
      .where('registry', '=', '')
      .where('status', '!=', 'closed')
      .executeTakeFirstOrThrow();
    return count === '0' ? null : count === '1' ? '1 delegation of number resources' : `${count} delegations of number resources`;
  },
  words: resourcesWords,
};
