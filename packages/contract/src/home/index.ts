export * from './home.ts';
export * from './last-visit.ts';
