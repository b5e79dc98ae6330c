export { calls, type Calls } from './calls.ts';
export * from './problem.ts';
export * from './registry.ts';
