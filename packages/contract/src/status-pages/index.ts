export * from './watchers.ts';
