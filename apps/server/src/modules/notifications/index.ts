export { sendDigests } from './digests.ts';
export { keepNotification, type News, notify } from './notify.ts';
export { notificationRoutes } from './routes.ts';
export { unsubscribePage } from './unsubscribe-page.ts';
