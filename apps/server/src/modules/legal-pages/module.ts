import type { Module } from '../../platform/module.ts';
import { legalPages } from './pages.ts';

export const legalPagesModule: Module = { name: 'legal-pages', pages: { readsFrom: 'replica', serve: legalPages } };
