import { forGood, untilRemoved } from '../../platform/kept-data.ts';
import type { Module } from '../../platform/module.ts';
import { announcementNames } from './act-names.ts';
import { announcementsWords } from './activity-words.ts';
import { statesOf, takeBackUnread } from './desk-announcements.ts';
import { announcementFeeds } from './feeds.ts';
import { notifyOfAnnouncements } from './notifying.ts';
import { announcementRoutes } from './routes.ts';
import { announcementsPersonal } from './personal-data.ts';
import { announcementsTexts } from './mail-texts.ts';
import { incidentFacts } from './board-facts.ts';
import { mailSubscribers } from './subscriber-mails.ts';
import { subscribe } from './subscribers.ts';

export const announcementsModule: Module = {
  name: 'announcements',
  boardFacts: { incidents: incidentFacts },
  mailTexts: announcementsTexts,
  tables: ['announcement', 'announcementAccount', 'announcementFeed', 'announcementReader', 'announcementSubscriber', 'announcementUpdate'],
  personal: announcementsPersonal,
  writtenAnnouncements: { statesOf, takeBackUnread },
  routes: () => announcementRoutes,
  pages: {
    readsFrom: 'replica',
    serve: (http, { db, dbForQuestion, config, profile, clock }) =>
      announcementFeeds(http, { db, dbForQuestion, appUrl: config.appUrl, profile, clock }),
  },
  addressActs: () => [subscribe],
  schedule: [
    {
      name: 'announcements.notify',
      every: 1,
      run: async ({ db, clock }) => {
        await notifyOfAnnouncements(db, clock());
      },
    },
    {
      name: 'announcements.mailSubscribers',
      every: 1,
      run: async ({ db, clock }) => {
        await mailSubscribers(db, clock());
      },
    },
  ],
  actNames: announcementNames,
  words: announcementsWords,
  demo: () => import('./demo.ts'),
  keeps: [
    {
      of: 'login',
      data: 'Announcements that you acknowledged or put away',
      purpose: 'To know who has read what must be acknowledged',
      until: forGood,
      ends: 'record',
      tables: ['announcementReader'],
    },
    {
      of: 'login',
      data: 'Your own feed of announcements (its address as a hash)',
      purpose: 'So that a feed reader needs no login',
      until: untilRemoved,
      ends: 'changed',
      tables: ['announcementFeed'],
    },
    {
      of: 'writer',
      data: 'Your address for e-mails about incidents and planned work, and the services you chose',
      purpose: 'To e-mail you when one of the services has an incident or planned work',
      until: 'Until you unsubscribe: each e-mail has a link for it',
      ends: 'changed',
      tables: ['announcementSubscriber'],
    },
  ],
};
