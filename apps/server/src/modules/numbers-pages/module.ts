import type { Module } from '../../platform/module.ts';
import { numbersPagesWords } from './activity-words.ts';
import { keepFigures } from './kept-figures.ts';
import { numbersPages } from './pages.ts';

export const numbersPagesModule: Module = {
  name: 'numbers-pages',
  tables: ['registryFigures'],
  pages: { readsFrom: 'replica', serve: numbersPages },
  schedule: [{ name: 'numbersPages.keepFigures', every: 60, run: keepFigures }],
  words: numbersPagesWords,
  demo: () => import('./demo.ts'),
};
