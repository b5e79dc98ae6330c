import type { Module } from '../../platform/module.ts';
import { createElsewhereFinder } from './elsewhere.ts';
import { rdapPlace } from './publishing-place.ts';
import { rdapErrors, rdapRoutes } from './routes.ts';

export const rdapModule: Module = {
  name: 'rdap',
  pages: { readsFrom: 'replica', serve: rdapRoutes },
  errors: rdapErrors,
  publishing: [rdapPlace],
  findsElsewhere: createElsewhereFinder,
};
