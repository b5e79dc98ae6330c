import type { Module } from '../../platform/module.ts';
import { routesWords } from './activity-words.ts';
import { findRoutes } from './route-finder.ts';
import { announcementRecords } from './route-records.ts';
import { routesAttention } from './routes-attention.ts';
import { routeRoutes } from './routes.ts';

export const routesModule: Module = {
  name: 'routes',
  tables: ['bgpAnnouncement', 'bgpTable', 'route', 'routeChange', 'routeList'],
  routes: routeRoutes,
  attention: routesAttention,
  find: findRoutes,
  records: [announcementRecords],
  words: routesWords,
};
