export { type PublicAnnouncement, publicAnnouncements } from './public-announcements.ts';
export { announcementsModule } from './module.ts';
