import type { Module } from '../../platform/module.ts';

import { rdapErrors, rdapRoutes } from './routes.ts';

export const rdapModule: Module = { name: 'rdap', pages: rdapRoutes, errors: rdapErrors };
