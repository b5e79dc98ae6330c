export * from './changes.ts';
export * from './closures.ts';
export * from './life.ts';
export * from './organisations.ts';
