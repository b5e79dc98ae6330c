import type { Module } from '../../platform/module.ts';
import { recordRoutes } from './routes.ts';

export const recordsModule: Module = { name: 'records', routes: () => recordRoutes };
