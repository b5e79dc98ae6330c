export { recordsModule } from './module.ts';
