import type { Module } from '../../platform/module.ts';
import { statusPagesNames } from './act-names.ts';
import { statusPagesWords } from './activity-words.ts';
import { statusPages } from './pages.ts';
import { statusPagesPersonal } from './personal-data.ts';
import { statusPagesRoutes } from './routes.ts';
import { LOOK_MINUTES, recordServiceDay } from './service-days.ts';

export const statusPagesModule: Module = {
  name: 'status-pages',
  tables: ['databaseOutage', 'serviceDay', 'watcher', 'watcherReport'],
  personal: statusPagesPersonal,
  routes: () => statusPagesRoutes,
  actNames: statusPagesNames,
  words: statusPagesWords,
  // At the primary: a feed of a replica that is behind would look late.
  pages: { readsFrom: 'primary', serve: statusPages },
  schedule: [{ name: 'statusPages.recordServiceDay', every: LOOK_MINUTES, run: recordServiceDay }],
  demo: () => import('./demo.ts'),
};
