export * from './publication.ts';
