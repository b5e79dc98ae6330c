export * from './notifications.ts';
export * from './preferences.ts';
