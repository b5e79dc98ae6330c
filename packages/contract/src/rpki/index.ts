export * from './aspas.ts';
export * from './checklists.ts';
export * from './desk.ts';
export * from './life.ts';
export * from './rpki.ts';
export * from './self-hosted.ts';
