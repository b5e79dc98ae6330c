export * from './billing.ts';
export * from './fee-estimates.ts';
export * from './memberships.ts';
export * from './renewals.ts';
