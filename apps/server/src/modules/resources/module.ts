import type { Module } from '../../platform/module.ts';
import { resourceNames } from './act-names.ts';
import { resourcesWords } from './activity-words.ts';
import { resourcesInvariants } from './invariants.ts';
import { resourcesAttention } from './attention.ts';
import { holderSection } from './holders/holder-history.ts';
import { releaseLocks } from './locks.ts';
import { registrationLane } from './registration-lane.ts';
import { findResources } from './resource-hits.ts';
import { resourcesRoutes } from './routes.ts';
import { resourcesPersonal } from './personal-data.ts';
import { resourcesTexts } from './mail-texts.ts';
import { resourceFacts } from './board-facts.ts';

export const resourcesModule: Module = {
  name: 'resources',
  boardFacts: { resources: resourceFacts },
  mailTexts: resourcesTexts,
  folders: ['map', 'holders', 'statistics'],
  tables: ['assignment', 'delegation', 'lockedPart', 'pool', 'resourceLock', 'statisticsFile'],
  personal: resourcesPersonal,
  routes: () => resourcesRoutes,
  schedule: [{ name: 'resources.releaseLocks', every: 10, run: ({ db, clock }) => releaseLocks(db, clock()) }],
  records: [holderSection, registrationLane],
  attention: resourcesAttention,
  find: findResources,
  lostOnClosing: async (read, accountName) => {
    const { count } = await read
      .selectFrom('delegation')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('accountName', '=', accountName)
      .where('registry', '=', '')
      .where('status', '!=', 'closed')
      .executeTakeFirstOrThrow();
    return count === 0 ? null : count === 1 ? '1 delegation of number resources' : `${count} delegations of number resources`;
  },
  actNames: resourceNames,
  words: resourcesWords,
  invariants: resourcesInvariants,
  demo: () => import('./demo.ts'),
};
