export * from './record-address.ts';
export * from './records.ts';
