import { announcements } from '@portal/contract/announcements/announcements';
import { deskAnnouncements } from '@portal/contract/announcements/desk';
import { ownFeeds } from '@portal/contract/announcements/own-feeds';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { acknowledgeAnnouncement, listAnnouncements, listBanners } from './announcements.ts';
import {
  addAnnouncement,
  changeAnnouncement,
  listStaffAnnouncements,
  readStaffAnnouncement,
  withdrawAnnouncement,
} from './desk-announcements.ts';
import { endOwnFeed, getOwnFeed, makeOwnFeed } from './own-feeds.ts';

export const announcementRoutes = ({ clock, config }: { clock: () => Date; config: { appUrl: string } }): Implementation[] => [
  implement(announcements, {
    listAnnouncements: ({ read, caller, query }) => listAnnouncements(read, caller.loginId, query, clock()),
    listBanners: ({ read, caller }) => listBanners(read, caller.loginId, clock()),
    acknowledgeAnnouncement: ({ change, caller, params }) => acknowledgeAnnouncement(change, caller.loginId, params.announcementId),
  }),
  implement(ownFeeds, {
    getOwnFeed: ({ read, caller }) => getOwnFeed(read, caller.loginId),
    makeOwnFeed: ({ change, caller }) => makeOwnFeed(change, caller.loginId, config.appUrl),
    endOwnFeed: ({ change, caller }) => endOwnFeed(change, caller.loginId),
  }),
  implement(deskAnnouncements, {
    listStaffAnnouncements: ({ read, query }) => listStaffAnnouncements(read, query, clock()),
    getStaffAnnouncement: ({ read, params }) => readStaffAnnouncement(read, params.announcementId, clock().toISOString()),
    addAnnouncement: ({ change, body }) => addAnnouncement(change, body),
    changeAnnouncement: ({ change, params, body }) => changeAnnouncement(change, params.announcementId, body),
    withdrawAnnouncement: ({ change, params, body }) => withdrawAnnouncement(change, params.announcementId, body),
  }),
];
