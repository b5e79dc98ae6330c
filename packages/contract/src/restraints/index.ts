export * from './restraints.ts';
export * from './stopped-calls.ts';
