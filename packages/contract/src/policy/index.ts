export * from './policy.ts';
export * from './policy-values.ts';
