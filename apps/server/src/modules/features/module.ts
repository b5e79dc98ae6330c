import type { Module } from '../../platform/module.ts';
import { featuresNames } from './act-names.ts';
import { featuresWords } from './activity-words.ts';
import { featuresInvariants } from './invariants.ts';
import { featuresPersonal } from './personal-data.ts';
import { featuresRoutes } from './routes.ts';

export const featuresModule: Module = {
  name: 'features',
  tables: ['featureSetting', 'featureAccount'],
  routes: () => featuresRoutes,
  personal: featuresPersonal,
  actNames: featuresNames,
  words: featuresWords,
  invariants: featuresInvariants,
};
