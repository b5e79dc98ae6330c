import { notifications } from '@portal/contract/notifications/notifications';
import { notificationPreferences } from '@portal/contract/notifications/preferences';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { countUnread, listNotifications, readAllNotifications, readNotification } from './notification-list.ts';
import { getNotificationPreferences, saveNotificationPreference } from './preferences.ts';

export const notificationRoutes: readonly Implementation[] = [
  implement(notifications, {
    listNotifications,
    countUnread,
    readNotification,
    readAllNotifications,
  }),
  implement(notificationPreferences, {
    getNotificationPreferences,
    saveNotificationPreference,
  }),
];
