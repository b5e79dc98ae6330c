export * from './announcement-shapes.ts';
export * from './announcements.ts';
export * from './desk.ts';
