export * from './queues.ts';
export * from './tickets.ts';
