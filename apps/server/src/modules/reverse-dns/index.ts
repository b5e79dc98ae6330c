export { checkZone } from './checks/zone-check.ts';
export { openResolver } from './checks/resolver.ts';
export { reverseDnsModule } from './module.ts';
export { importFragment, openZoneBook, publishAllZones, publishZones } from './publication/publication.ts';
export { zonePublisher } from './publication/publisher.ts';
