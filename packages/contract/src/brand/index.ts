export * from './brand-colours.ts';
export * from './brand-problem.ts';
export * from './brand.ts';
export * from './brand-values.ts';
