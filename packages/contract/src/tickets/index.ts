export * from './account-tickets.ts';
export * from './life.ts';
export * from './queues.ts';
export * from './talks.ts';
export * from './tickets.ts';
