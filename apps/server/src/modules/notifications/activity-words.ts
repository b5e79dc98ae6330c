import type { notifications } from '@portal/contract/notifications/notifications';
import type { notificationPreferences } from '@portal/contract/notifications/preferences';
import { type ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const notificationsWords = {
  activities: {
    notifications: {
      category: 'system',
      unlisted: true,
      actions: {
        readNotification: 'Read a notification',
        readAllNotifications: 'Read all notifications',
        confirmAddress: 'Confirm the address for a topic',
        digest: 'Send a digest of notifications',
        unsubscribe: 'Unsubscribe from a topic',
      },
    },
    'notifications.preferences': {
      category: 'system',
      unlisted: true,
      actions: { saveNotificationPreference: 'Change notification settings' },
    },
  },
  unshown: {
    notification_preference: 'a person’s',
    notification_digest: 'a person’s',
    notification_address: 'a person’s',
  },
} satisfies ModuleWords<{ notifications: typeof notifications; 'notifications.preferences': typeof notificationPreferences }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    notifications: typeof notificationsWords;
  }
}
