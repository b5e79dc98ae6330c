import type { Module } from '../../platform/module.ts';
import { brandNames } from './act-names.ts';
import { brandWords } from './activity-words.ts';
import { brandInvariants } from './invariants.ts';
import { logoPages } from './logos.ts';
import { brandPersonal } from './personal-data.ts';
import { brandRoutes } from './routes.ts';

export const brandModule: Module = {
  name: 'brand',
  tables: ['brandChange', 'brandLogo'],
  routes: () => brandRoutes,
  pages: { readsFrom: 'primary', serve: logoPages },
  personal: brandPersonal,
  actNames: brandNames,
  words: brandWords,
  invariants: brandInvariants,
};
