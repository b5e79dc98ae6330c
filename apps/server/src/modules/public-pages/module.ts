import type { Module } from '../../platform/module.ts';
import { publicPages } from './pages.ts';

export const publicPagesModule: Module = { name: 'public-pages', pages: { readsFrom: 'replica', serve: publicPages } };
