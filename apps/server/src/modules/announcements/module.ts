import type { Module } from '../../platform/module.ts';
import { announcementNames } from './act-names.ts';
import { announcementsWords } from './activity-words.ts';
import { announcementFeeds } from './feeds.ts';
import { notifyOfAnnouncements } from './notifying.ts';
import { announcementRoutes } from './routes.ts';

export const announcementsModule: Module = {
  name: 'announcements',
  tables: ['announcement', 'announcementAccount', 'announcementFeed', 'announcementReader'],
  routes: () => announcementRoutes,
  pages: (http, { db, config, profile, clock }) =>
    announcementFeeds(http, { read: db.read, appUrl: config.appUrl, registryName: profile.registryName, clock }),
  schedule: [
    {
      name: 'announcements.notify',
      every: 1,
      run: async ({ db, clock }) => {
        await notifyOfAnnouncements(db, clock());
      },
    },
  ],
  actNames: announcementNames,
  words: announcementsWords,
  demo: () => import('./demo.ts'),
};
