export * from './tasks.ts';
export * from './set-aside.ts';
