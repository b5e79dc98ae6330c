export * from './shell.ts';
export * from './signed-out-url.ts';
