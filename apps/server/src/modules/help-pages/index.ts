export { helpPagesModule } from './module.ts';
