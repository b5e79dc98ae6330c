import { announcements } from '@portal/contract/announcements/announcements';
import { deskAnnouncements } from '@portal/contract/announcements/desk';
import { type Implementation, implement } from '../../platform/endpoints.ts';
import { acknowledgeAnnouncement, listAnnouncements, listBanners } from './announcements.ts';
import {
  addAnnouncement,
  changeAnnouncement,
  listStaffAnnouncements,
  readStaffAnnouncement,
  withdrawAnnouncement,
} from './desk-announcements.ts';

export const announcementRoutes = ({ clock }: { clock: () => Date }): Implementation[] => [
  implement(announcements, {
    listAnnouncements: ({ read, caller, query }) => listAnnouncements(read, caller.loginId, query, clock()),
    listBanners: ({ read, caller }) => listBanners(read, caller.loginId, clock()),
    acknowledgeAnnouncement: ({ change, caller, params }) => acknowledgeAnnouncement(change, caller.loginId, params.announcementId),
  }),
  implement(deskAnnouncements, {
    listStaffAnnouncements: ({ read, query }) => listStaffAnnouncements(read, query, clock()),
    getStaffAnnouncement: ({ read, params }) => readStaffAnnouncement(read, params.announcementId, clock().toISOString()),
    addAnnouncement: ({ change, body }) => addAnnouncement(change, body),
    changeAnnouncement: ({ change, params, body }) => changeAnnouncement(change, params.announcementId, body),
    withdrawAnnouncement: ({ change, params, body }) => withdrawAnnouncement(change, params.announcementId, body),
  }),
];
