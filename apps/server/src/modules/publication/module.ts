import type { Module } from '../../platform/module.ts';
import { publicationRoutes } from './routes.ts';

export const publicationModule: Module = { name: 'publication', routes: () => publicationRoutes };
