export * from './announcement-shapes.ts';
export * from './announcement-values.ts';
export * from './announcements.ts';
export * from './desk.ts';
export * from './own-feeds.ts';
