export * from './account-pictures.ts';
export * from './case-words.ts';
export * from './cases.ts';
export * from './desk-home.ts';
export * from './desk.ts';
export * from './queues.ts';
export * from './reply-templates.ts';
export * from './staff.ts';
