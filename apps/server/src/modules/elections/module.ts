import type { Module } from '../../platform/module.ts';

import { electionRoutes } from './routes.ts';

export const electionsModule: Module = { name: 'elections', routes: electionRoutes };
