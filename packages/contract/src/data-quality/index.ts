export * from './account-list.ts';
export * from './campaign-text.ts';
export * from './campaigns.ts';
export * from './data-quality.ts';
export * from './findings.ts';
