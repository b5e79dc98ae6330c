export { routesModule } from './module.ts';
export { endRoutesIn } from './route-rows.ts';
export { seenAnnouncements } from './seen-announcements.ts';
