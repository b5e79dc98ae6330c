import type { Module } from '../../platform/module.ts';
import { routesWords } from './activity-words.ts';
import { routeRoutes } from './routes.ts';

export const routesModule: Module = {
  name: 'routes',
  tables: ['bgpAnnouncement', 'bgpTable', 'route', 'routeChange', 'routeList'],
  routes: routeRoutes,
  words: routesWords,
};
