export { boardModule } from './module.ts';
