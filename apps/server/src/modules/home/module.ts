import type { Module } from '../../platform/module.ts';
import { homeRoutes } from './routes.ts';

export const homeModule: Module = { name: 'home', routes: () => homeRoutes };
