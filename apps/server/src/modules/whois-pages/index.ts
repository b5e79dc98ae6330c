export { whoisPagesModule } from './module.ts';
