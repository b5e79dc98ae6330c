export * from './deliveries.ts';
export * from './notifications.ts';
export * from './preferences.ts';
export * from './topics.ts';
