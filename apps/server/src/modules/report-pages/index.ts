export { reportPagesModule } from './module.ts';
