export * from './alerts.ts';
export * from './own-tables.ts';
export * from './routed-space.ts';
export * from './routes.ts';
export * from './suggestions.ts';
