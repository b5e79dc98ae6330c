export { recordsModule } from './module.ts';
export { type PublicRecord, publicRecord } from './public-record.ts';
