/**
 * Statements that name a table of a module further down the line-up, as `file table`. The list may only get shorter: `npm run check -- tables`
 * refuses a new one, and one that is needed no longer.
 */
export const tableExceptions: readonly string[] = [
  'apps/server/src/modules/mail/mail.ts login',
  'apps/server/src/modules/notifications/digests.ts login',
  'apps/server/src/modules/notifications/freeze-offers.ts login',
  'apps/server/src/modules/notifications/freeze-offers.ts login_subject',
  'apps/server/src/modules/notifications/notify.ts login',
  'apps/server/src/modules/notifications/preferences.ts login',
  'apps/server/src/modules/notifications/preferences.ts login_link',
];
