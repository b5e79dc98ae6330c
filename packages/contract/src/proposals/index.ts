export * from './life.ts';
export * from './proposals.ts';
