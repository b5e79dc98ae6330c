import type { Module } from '../../platform/module.ts';
import { whoisPages } from './pages.ts';

export const whoisPagesModule: Module = { name: 'whois-pages', pages: { readsFrom: 'replica', serve: whoisPages } };
