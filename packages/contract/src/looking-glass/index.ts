export * from './looking-glass.ts';
