export { publicationModule } from './module.ts';
