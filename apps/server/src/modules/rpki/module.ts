import type { Module } from '../../platform/module.ts';
import { rpkiWords } from './activity-words.ts';
import { aspaRecords } from './aspa-records.ts';
import { certificateRecords } from './certificate-records.ts';
import { noticeLostRoas } from './lost-roas.ts';
import { expiringManifests, publisherServer, repositoryMetrics } from './publisher.ts';
import { roaRecords } from './roa-records.ts';
import { repositoryPages } from './repository-pages.ts';
import { rpkiAspaRoutes, rpkiChecklistRoutes, rpkiRoutes } from './routes.ts';

export const rpkiModule: Module = {
  name: 'rpki',
  tables: [
    'aspa',
    'roa',
    'rpkiCa',
    'rpkiCertificate',
    'rpkiChecklist',
    'rpkiDue',
    'rpkiKey',
    'rpkiManifest',
    'rpkiObject',
    'rpkiOneTimeKey',
    'rrdpDelta',
    'rrdpSession',
  ],
  routes: ({ config, clock }) => [rpkiRoutes(config), rpkiAspaRoutes(), rpkiChecklistRoutes(clock)],
  pages: repositoryPages,
  tasks: [noticeLostRoas],
  records: [certificateRecords, roaRecords, aspaRecords],
  servers: [publisherServer],
  notReady: ({ db, clock }) => expiringManifests(db.read, clock()),
  metrics: ({ db, clock }) => repositoryMetrics(db.read, clock()),
  lostOnClosing: async (read, accountName) => {
    const { count } = await read
      .selectFrom('roa')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('accountName', '=', accountName)
      .executeTakeFirstOrThrow();
    return count === '0' ? null : count === '1' ? '1 ROA' : `${count} ROAs`;
  },
  words: rpkiWords,
};
