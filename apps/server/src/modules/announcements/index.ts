export { type PublicAnnouncement, publicAnnouncements } from './public-announcements.ts';
export { askToSubscribe, choiceInWords, chooseServices, findSubscriber, servicesAmong, unsubscribe } from './subscribers.ts';
export { announcementsModule } from './module.ts';
