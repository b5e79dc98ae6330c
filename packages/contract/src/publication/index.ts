export * from './feeds.ts';
export * from './publication.ts';
