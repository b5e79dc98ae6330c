import type { Module } from '../../platform/module.ts';

import { notificationRoutes } from './routes.ts';
import { unsubscribePage } from './unsubscribe-page.ts';
import { sendDigests } from './digests.ts';

export const notificationsModule: Module = {
  name: 'notifications',
  tables: ['notification', 'notificationAddress', 'notificationDigest', 'notificationPreference'],
  routes: () => notificationRoutes,
  pages: (http, { db, config, profile, asset, modules }) =>
    unsubscribePage(http, {
      db,
      config,
      product: `My${profile.product}`,
      styleSheet: asset('apps/server/web/sign-in.css'),
      enders: modules.flatMap(({ endsSubscriptions }) => endsSubscriptions ?? []),
    }),
  schedule: [{ name: 'notifications.sendDigests', every: 10, run: ({ db, clock }) => sendDigests(db, clock()) }],
};
