export * from './forecast.ts';
export * from './locks.ts';
export * from './pools.ts';
export * from './resource-kinds.ts';
export * from './resources.ts';
