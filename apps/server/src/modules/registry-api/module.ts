import type { Module } from '../../platform/module.ts';
import { problemErrors } from './problem.ts';
import { referencePages } from './reference-page.ts';

export const registryApiModule: Module = {
  name: 'registry-api',
  pages: { readsFrom: 'primary', serve: referencePages },
  errors: problemErrors,
};
