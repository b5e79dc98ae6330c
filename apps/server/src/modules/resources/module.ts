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
  words: resourcesWords,
};
