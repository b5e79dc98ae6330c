import { notifications } from '@portal/contract/notifications/notifications';
import { notificationPreferences } from '@portal/contract/notifications/preferences';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { countUnread, listNotifications, readAll, readNotification } from './notification-list.ts';
import { getPreferences, savePreference, type Sources } from './preferences.ts';

export const notificationRoutes = (sources: Sources): Implementation[] => [
  implement(notifications, {
    listNotifications,
    countUnread,
    readNotification,
    readAllNotifications: ({ change, caller, body }) => readAll(change, caller.loginId, body.upTo),
  }),
  implement(notificationPreferences, {
    getNotificationPreferences: ({ read, caller }) => getPreferences(read, caller.loginId, sources),
    saveNotificationPreference: ({ change, caller, body }) => savePreference(change, caller.loginId, body, sources),
  }),
];
