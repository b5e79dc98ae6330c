export * from './alerts.ts';
export * from './routes.ts';
export * from './suggestions.ts';
