export * from './billing.ts';
export * from './fee-estimates.ts';
