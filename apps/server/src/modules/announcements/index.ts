export { addAnnouncement } from './desk-announcements.ts';
export { announcementsModule } from './module.ts';
