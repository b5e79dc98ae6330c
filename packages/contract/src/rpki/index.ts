export * from './checklists.ts';
export * from './rpki.ts';
