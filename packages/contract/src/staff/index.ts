export * from './desk.ts';
export * from './queues.ts';
export * from './staff.ts';
