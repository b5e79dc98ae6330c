export * from './desk.ts';
export * from './staff.ts';
