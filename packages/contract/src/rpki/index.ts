export * from './rpki.ts';
