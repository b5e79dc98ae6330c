import type { Module } from '../../platform/module.ts';
import { helpPages } from './pages.ts';

export const helpPagesModule: Module = { name: 'help-pages', pages: { readsFrom: 'primary', serve: helpPages } };
