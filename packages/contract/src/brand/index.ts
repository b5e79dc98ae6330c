export * from './brand.ts';
export * from './brand-values.ts';
