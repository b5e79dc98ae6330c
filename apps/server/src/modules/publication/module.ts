import type { Module } from '../../platform/module.ts';

import { feedRoutes, publicationRoutes } from './routes.ts';

export const publicationModule: Module = { name: 'publication', routes: context => [publicationRoutes(context), feedRoutes(context)] };
