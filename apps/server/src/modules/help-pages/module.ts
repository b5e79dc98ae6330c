import type { Module } from '../../platform/module.ts';
import { helpPages } from './pages.ts';
import { helpPagesRoutes } from './routes.ts';

export const helpPagesModule: Module = {
  name: 'help-pages',
  tables: ['helpAnswer'],
  routes: () => helpPagesRoutes,
  pages: { readsFrom: 'primary', serve: helpPages },
};
