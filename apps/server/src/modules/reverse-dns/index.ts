export { noteSeenZones } from './checks/zone-states.ts';
export { reverseDnsModule } from './module.ts';
export { importFragment, publishAllZones } from './publication/publication.ts';
export { submitZones } from './submission.ts';
