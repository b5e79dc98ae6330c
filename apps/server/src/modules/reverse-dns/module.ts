import type { Module } from '../../platform/module.ts';
import { reverseDnsWords } from './activity-words.ts';
import { reverseDnsInvariants } from './invariants.ts';
import { reverseDnsAttention } from './attention.ts';
import { followLameServers } from './checks/lame-servers.ts';
import { forgetChecks, runCheck } from './checks/runs.ts';
import { watchZones } from './checks/watch.ts';
import { notifyOfLeftOut } from './publication/left-out.ts';
import { zonePlace } from './publication/places.ts';
import { zoneFeed } from './publication/feed.ts';
import { zonePublisher } from './publication/publisher.ts';
import { reverseDnsRoutes } from './routes.ts';
import { followWaiting } from './waiting.ts';
import { zoneRecords } from './zone-records.ts';
import { countDelegatedZones } from './domain-objects.ts';
import { heldPrefixes } from './zones.ts';
import { reverseDnsPersonal } from './personal-data.ts';
import { reverseDnsTexts } from './mail-texts.ts';

export const reverseDnsModule: Module = {
  name: 'reverse-dns',
  mailTexts: reverseDnsTexts,
  folders: ['checks', 'publication'],
  tables: ['rdnsCheck', 'rdnsFragment', 'rdnsLameServer', 'rdnsLeftOut', 'rdnsParent', 'rdnsPublished', 'rdnsWaiting', 'rdnsZone'],
  keeps: [
    {
      of: 'login',
      data: 'Checks of name servers that you asked for',
      purpose: 'To show their results',
      until: '30 days',
      ends: 'deleted by its module',
      tables: ['rdnsCheck'],
    },
  ],
  personal: reverseDnsPersonal,
  routes: () => reverseDnsRoutes,
  tasks: [runCheck],
  schedule: [
    { name: 'reverseDns.checks.forgetChecks', every: 60, run: forgetChecks },
    { name: 'reverseDns.watchZones', every: 10, run: watchZones },
    { name: 'reverseDns.followLameServers', every: 10, run: followLameServers },
    { name: 'reverseDns.notifyOfLeftOut', every: 5, run: notifyOfLeftOut },
    { name: 'reverseDns.followWaiting', every: 5, run: followWaiting },
  ],
  servers: [zonePublisher],
  feeds: [zoneFeed],
  records: [zoneRecords],
  publishing: [zonePlace],
  attention: reverseDnsAttention,
  lostOnClosing: async (read, accountName) => {
    const zones = await countDelegatedZones(read, await heldPrefixes(read, accountName));
    return zones === 0 ? null : zones === 1 ? '1 reverse DNS zone' : `${zones} reverse DNS zones`;
  },
  words: reverseDnsWords,
  invariants: reverseDnsInvariants,
  demo: () => import('./demo.ts'),
};
