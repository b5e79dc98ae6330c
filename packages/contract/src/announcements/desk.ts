import * as z from 'zod/mini';
import { endpoint, group, staff, largeBody } from '../endpoint.ts';
import { severalLines } from '../several-lines.ts';
import { StaffAnnouncement, stageNames } from './announcement-shapes.ts';
import { AnnouncementValues } from './announcement-values.ts';
import { rowVersion as version } from '../whole-numbers.ts';

/** Announcements for registry staff. */
export const deskAnnouncements = group('announcements.desk', {
  listStaffAnnouncements: endpoint({
    method: 'GET',
    path: '/api/staff/announcements',
    summary: 'Announcements of any state, the newest first.',
    access: staff('announcements'),
    query: z.object({
      offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)), 0),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
    }),
    answer: z.object({ rows: z.array(StaffAnnouncement), total: z.int() }),
  }),
  getStaffAnnouncement: endpoint({
    method: 'GET',
    path: '/api/staff/announcements/:announcementId',
    summary: 'One announcement, and the people it reaches.',
    access: staff('announcements'),
    answer: StaffAnnouncement,
    errors: ['NOT_FOUND'],
  }),
  addAnnouncement: endpoint({
    method: 'POST',
    path: '/api/staff/announcements',
    summary: 'Write an announcement: a draft, or one that is published at a time.',
    access: staff('announcements'),
    effect: 'statements',
    largestBody: largeBody,
    body: AnnouncementValues,
    answer: StaffAnnouncement,
    activity: 'Wrote an announcement',
  }),
  changeAnnouncement: endpoint({
    method: 'POST',
    path: '/api/staff/announcements/:announcementId',
    summary: 'Change an announcement. Of one that is published the audience and the time stay, and no one is notified again.',
    access: staff('announcements'),
    effect: 'statements',
    largestBody: largeBody,
    body: z.object({ version, values: AnnouncementValues }),
    answer: StaffAnnouncement,
    errors: ['NOT_FOUND', 'STALE', 'ANNOUNCEMENT_STATE'],
    activity: 'Changed an announcement',
  }),
  addAnnouncementUpdate: endpoint({
    method: 'POST',
    path: '/api/staff/announcements/:announcementId/updates',
    summary:
      'Write what became known of a published incident or of planned work. That it is over ends it, and its banner; another stage afterwards opens it again.',
    access: staff('announcements'),
    effect: 'statements',
    body: z.object({ version, stage: z.enum(stageNames), text: severalLines(2000, 3) }),
    answer: StaffAnnouncement,
    errors: ['NOT_FOUND', 'STALE', 'ANNOUNCEMENT_STATE'],
    activity: 'Wrote an update of an announcement',
  }),
  withdrawAnnouncement: endpoint({
    method: 'POST',
    path: '/api/staff/announcements/:announcementId/withdraw',
    summary: 'Take an announcement back: no one sees it any more, and those who are not notified yet are not.',
    access: staff('announcements'),
    effect: 'statements',
    body: z.object({ version, reason: severalLines(500, 3) }),
    answer: StaffAnnouncement,
    errors: ['NOT_FOUND', 'STALE', 'ANNOUNCEMENT_STATE'],
    activity: 'Withdrew an announcement',
  }),
});
