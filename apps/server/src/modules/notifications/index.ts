export { sendDigests } from './digests.ts';
export { type News, notify, type Recipient } from './notify.ts';
export { notificationRoutes } from './routes.ts';
export { unsubscribePage } from './unsubscribe-page.ts';
