export { recordsModule } from './module.ts';
export { publicRecord } from './public-record.ts';
