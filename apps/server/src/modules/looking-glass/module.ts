import type { Module } from '../../platform/module.ts';
import { lookingGlassRoutes } from './routes.ts';

export const lookingGlassModule: Module = { name: 'looking-glass', routes: () => lookingGlassRoutes };
