import type { Module } from '../../platform/module.ts';
import { foreignSourcesWords } from './activity-words.ts';
import { followForeignSources, loadForeignSources } from './follow.ts';
import { foreignMetrics } from './metrics.ts';

export const foreignSourcesModule: Module = {
  name: 'foreign-sources',
  tables: ['foreignCopy', 'foreignObject', 'foreignSource'],
  schedule: [
    { name: 'foreignSources.load', every: 10, run: loadForeignSources },
    { name: 'foreignSources.follow', every: 1, run: followForeignSources },
  ],
  metrics: foreignMetrics,
  words: foreignSourcesWords,
};
