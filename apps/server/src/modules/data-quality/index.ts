export { dataQualityModule } from './module.ts';
