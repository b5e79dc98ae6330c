import type { Module } from '../../platform/module.ts';
import { searchRoutes } from './routes.ts';

export const searchModule: Module = { name: 'search', routes: () => searchRoutes };
