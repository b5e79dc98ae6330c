export { checkZone } from './checks/zone-check.ts';
export { openResolver } from './checks/resolver.ts';
export { reverseDnsModule } from './module.ts';
export { importFragment } from './publication/fragments.ts';
export { openZoneBook, publishAllZones, publishZones } from './publication/publication.ts';
export { zonePublisher } from './publication/publisher.ts';
export { foundOfZones, zoneSummary } from './zones.ts';
export { seemsCutOff } from './checks/lame-servers.ts';
export { holderOfZone } from './checks/zone-notices.ts';
