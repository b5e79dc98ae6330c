import type { announcements } from '@portal/contract/announcements/announcements';
import type { deskAnnouncements } from '@portal/contract/announcements/desk';
import type { ownFeeds } from '@portal/contract/announcements/own-feeds';
import type { ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const announcementsWords = {
  activities: {
    announcements: {
      category: 'system',
      unlisted: true,
      actions: {
        acknowledgeAnnouncement: 'Acknowledge an announcement',
        notify: 'Notify people of an announcement',
        mailSubscribers: 'E-mail subscribers of the status page',
        askToSubscribe: 'Ask for e-mails about services',
        subscribe: 'Confirm e-mails about services',
        chooseServices: 'Choose services of e-mails',
        unsubscribe: 'Unsubscribe from e-mails about services',
      },
    },
    'announcements.ownFeeds': {
      category: 'system',
      unlisted: true,
      actions: { makeOwnFeed: 'Make a private feed of announcements', endOwnFeed: 'Delete a private feed of announcements' },
    },
    'announcements.desk': {
      category: 'system',
      unlisted: true,
      actions: {
        addAnnouncement: 'Write an announcement',
        changeAnnouncement: 'Change an announcement',
        addAnnouncementUpdate: 'Write an update of an announcement',
        withdrawAnnouncement: 'Withdraw an announcement',
      },
    },
  },
  unshown: {
    announcement: 'the registry’s',
    announcement_account: 'the registry’s: the announcement names the account to its contacts',
    announcement_feed: 'a person’s',
    announcement_reader: 'a person’s',
    announcement_subscriber: 'a person’s',
    announcement_update: 'the registry’s',
  },
} satisfies ModuleWords<{
  announcements: typeof announcements;
  'announcements.desk': typeof deskAnnouncements;
  'announcements.ownFeeds': typeof ownFeeds;
}>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    announcements: typeof announcementsWords;
  }
}
