import type { Module } from '../../platform/module.ts';
import { resourcesWords } from './activity-words.ts';

import { resourceRoutes } from './routes.ts';

export const resourcesModule: Module = {
  name: 'resources',
  tables: ['assignment', 'delegation', 'pool', 'statisticsFile'],
  routes: () => [resourceRoutes],
  words: resourcesWords,
};
