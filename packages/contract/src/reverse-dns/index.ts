export * from './check-catalogue.ts';
export * from './checks.ts';
export * from './lame-servers.ts';
export * from './left-out.ts';
export * from './reverse-dns.ts';
export * from './waiting.ts';
export * from './zone-checks.ts';
export * from './zone-files.ts';
