export * from './changes.ts';
export * from './closures.ts';
export * from './organisations.ts';
