export * from './activity-log.ts';
