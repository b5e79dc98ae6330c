export { logPagesModule } from './module.ts';
