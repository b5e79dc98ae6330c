export { reverseDnsModule } from './module.ts';
export { importFragment, publishAllZones } from './publication/publication.ts';
