export * from './ballots.ts';
export * from './conferences.ts';
export * from './election-windows.ts';
export * from './elections.ts';
export * from './options.ts';
export * from './proxies.ts';
export * from './voting-tiers.ts';
export * from './voting.ts';
