import type { Module } from '../../platform/module.ts';
import { routeNames } from './act-names.ts';
import { routesWords } from './activity-words.ts';
import { roaPlace } from './roa-place.ts';
import { findRoutes } from './route-finder.ts';
import { announcementRecords } from './route-records.ts';
import { routesAttention } from './routes-attention.ts';
import { routeRoutes } from './routes.ts';
import { watchAnnouncements } from './watch-announcements.ts';
import { routesPersonal } from './personal-data.ts';
import { routesTexts } from './mail-texts.ts';

export const routesModule: Module = {
  name: 'routes',
  mailTexts: routesTexts,
  tables: ['route', 'routeAlert', 'routeChange', 'routeList', 'routeMute'],
  personal: routesPersonal,
  routes: () => routeRoutes,
  schedule: [{ name: 'routes.watchAnnouncements', every: 10, run: watchAnnouncements }],
  attention: routesAttention,
  find: findRoutes,
  records: [announcementRecords],
  publishing: [roaPlace],
  actNames: routeNames,
  words: routesWords,
  demo: () => import('./demo.ts'),
};
