export { numbersPagesModule } from './module.ts';
