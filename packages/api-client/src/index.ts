export * from './call.ts';
export * from './challenge.ts';
export * from './saved-file.ts';
export * from './service-failure.ts';
