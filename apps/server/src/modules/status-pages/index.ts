export { statusPagesModule } from './module.ts';
