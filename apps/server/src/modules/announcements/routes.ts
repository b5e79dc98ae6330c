import { announcements } from '@portal/contract/announcements/announcements';
import { deskAnnouncements } from '@portal/contract/announcements/desk';
import { ownFeeds } from '@portal/contract/announcements/own-feeds';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { acknowledgeAnnouncement, listAnnouncements, listBanners } from './announcements.ts';
import {
  addAnnouncement,
  addAnnouncementUpdate,
  changeAnnouncement,
  getStaffAnnouncement,
  listStaffAnnouncements,
  withdrawAnnouncement,
} from './desk-announcements.ts';
import { endOwnFeed, getOwnFeed, makeOwnFeed } from './own-feeds.ts';

export const announcementRoutes: readonly Implementation[] = [
  implement(announcements, {
    listAnnouncements,
    listBanners,
    acknowledgeAnnouncement,
  }),
  implement(ownFeeds, {
    getOwnFeed,
    makeOwnFeed,
    endOwnFeed,
  }),
  implement(deskAnnouncements, {
    listStaffAnnouncements,
    getStaffAnnouncement,
    addAnnouncement,
    changeAnnouncement,
    addAnnouncementUpdate,
    withdrawAnnouncement,
  }),
];
