export { storeNotification, type News, notify, type Recipient } from './notify.ts';
export type { People } from './people.ts';
export { notificationsModule } from './module.ts';
