export * from './change-outcomes.ts';
export * from './confirmation.ts';
export * from './own-provider.ts';
export * from './reads-together.ts';
export * from './release-header.ts';
export * from './shell.ts';
export * from './signed-out-url.ts';
