import type { Module } from '../../platform/module.ts';
import { notificationsWords } from './activity-words.ts';

import { personOfModules } from '../mail/index.ts';
import { notificationRoutes } from './routes.ts';
import { unsubscribePage } from './unsubscribe-page.ts';
import { sendDigests } from './digests.ts';

export const notificationsModule: Module = {
  name: 'notifications',
  tables: ['notification', 'notificationAddress', 'notificationDigest', 'notificationPreference'],
  routes: context => {
    const askers = context.modules.flatMap(({ askedAddresses }) => askedAddresses ?? []);
    return notificationRoutes({
      personOf: personOfModules(context),
      askedAddresses: async (read, loginId) => (await Promise.all(askers.map(ask => ask(read, loginId)))).flat(),
    });
  },
  pages: (http, { db, config, profile, asset, modules }) =>
    unsubscribePage(http, {
      db,
      config,
      product: `My${profile.product}`,
      styleSheet: asset('apps/server/web/public-page.css'),
      enders: modules.flatMap(({ endsSubscriptions }) => endsSubscriptions ?? []),
    }),
  schedule: [
    { name: 'notifications.sendDigests', every: 10, run: context => sendDigests(context.db, context.clock(), personOfModules(context)) },
  ],
  words: notificationsWords,
  demo: () => import('./demo.ts'),
};
