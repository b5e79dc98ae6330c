export * from './reverse-dns.ts';
