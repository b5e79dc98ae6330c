import type { Module } from '../../platform/module.ts';
import { reverseDnsWords } from './activity-words.ts';
import { reverseDnsRoutes } from './routes.ts';

export const reverseDnsModule: Module = {
  name: 'reverse-dns',
  routes: reverseDnsRoutes,
  words: reverseDnsWords,
};
