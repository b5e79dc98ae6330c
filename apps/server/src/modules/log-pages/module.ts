import type { Module } from '../../platform/module.ts';
import { logRootsFeed } from './feed.ts';
import { logPages } from './pages.ts';

export const logPagesModule: Module = { name: 'log-pages', pages: { readsFrom: 'replica', serve: logPages }, feeds: [logRootsFeed] };
