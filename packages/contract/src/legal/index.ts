export * from './legal.ts';
export * from './own-texts.ts';
export * from './waiting-calls.ts';
