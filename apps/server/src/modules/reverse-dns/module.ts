import type { Module } from '../../platform/module.ts';
import { reverseDnsWords } from './activity-words.ts';
import { forgetChecks, runCheck } from './checks/runs.ts';
import { watchZones } from './checks/watch.ts';
import { zonePlace } from './publication/places.ts';
import { zonePublisher } from './publication/publisher.ts';
import { reverseDnsRoutes } from './routes.ts';
import { reverseDnsAttention } from './attention.ts';
import { zoneRecords } from './zone-records.ts';

export const reverseDnsModule: Module = {
  name: 'reverse-dns',
  tables: ['rdnsCheck', 'rdnsFragment', 'rdnsParent', 'rdnsPublished', 'rdnsZone'],
  routes: reverseDnsRoutes,
  tasks: [runCheck],
  schedule: [
    { name: 'reverseDns.checks.forgetChecks', every: 60, run: forgetChecks },
    { name: 'reverseDns.watchZones', every: 10, run: watchZones },
  ],
  servers: [zonePublisher],
  records: [zoneRecords],
  publishing: [zonePlace],
  attention: reverseDnsAttention,
  words: reverseDnsWords,
};
