export * from './casting.ts';
export * from './credentials.ts';
export * from './duties.ts';
export * from './objection-life.ts';
export * from './objections.ts';
export * from './proxy-votes.ts';
export * from './setup.ts';
export * from './trustees.ts';
