export { keepNotification, type News, notify } from './notify.ts';
export { notificationsModule } from './module.ts';
