import { untilRemoved } from '../../platform/kept-data.ts';
import type { Module } from '../../platform/module.ts';
import { personOfModules } from '../mail/index.ts';
import { notificationsWords } from './activity-words.ts';
import { notificationRoutes } from './routes.ts';
import { unsubscribePage } from './unsubscribe-page.ts';
import { sendDigests } from './digests.ts';
import { notificationsPersonal } from './personal-data.ts';
import { notificationsTexts } from './mail-texts.ts';

export const notificationsModule: Module = {
  name: 'notifications',
  mailTexts: notificationsTexts,
  tables: ['notification', 'notificationAddress', 'notificationDigest', 'notificationPreference'],
  personal: notificationsPersonal,
  routes: () => notificationRoutes,
  pages: {
    readsFrom: 'primary',
    serve: (http, { db, config, profile, asset, modules }) =>
      unsubscribePage(http, {
        db,
        config,
        profile,
        styleSheet: asset('apps/server/web/public-page.css'),
        enders: modules.flatMap(({ endsSubscriptions }) => endsSubscriptions ?? []),
      }),
  },
  schedule: [
    { name: 'notifications.sendDigests', every: 10, run: context => sendDigests(context.db, context.clock(), personOfModules(context)) },
  ],
  words: notificationsWords,
  demo: () => import('./demo.ts'),
  keeps: [
    {
      of: 'login',
      data: 'Notifications in the portal',
      purpose: 'To inform you of what concerns you',
      from: 'after they were written',
      ends: 'notifications',
      tables: ['notification'],
      over: [{ table: 'notification', after: 'writtenAt' }],
    },
    {
      of: 'login',
      data: 'Which notifications you want how',
      purpose: 'To send them the way you want them',
      until: untilRemoved,
      ends: 'changed',
      tables: ['notificationPreference', 'notificationDigest'],
    },
    {
      of: 'contact',
      data: 'Address for mails of a topic',
      purpose: 'To send them where you want them',
      until: untilRemoved,
      ends: 'changed',
      tables: ['notificationAddress'],
    },
  ],
};
