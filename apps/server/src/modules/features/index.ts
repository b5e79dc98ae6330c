export { featuresModule } from './module.ts';
