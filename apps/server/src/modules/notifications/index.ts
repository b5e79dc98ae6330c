export { type News, notify, type Recipient, type StoredNews, storeNotification } from './notify.ts';
export type { People } from './people.ts';
export { notificationsModule } from './module.ts';
