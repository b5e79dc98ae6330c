export * from './proposals.ts';
