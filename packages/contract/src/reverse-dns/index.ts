export * from './check-catalogue.ts';
export * from './checks.ts';
export * from './reverse-dns.ts';
export * from './zone-files.ts';
