export * from './privacy.ts';
