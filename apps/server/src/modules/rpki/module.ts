import type { Module } from '../../platform/module.ts';
import { rpkiWords } from './activity-words.ts';
import { expiringManifests, publisherServer, repositoryMetrics } from './publisher.ts';
import { repositoryPages } from './repository-pages.ts';
import { rpkiRoutes } from './routes.ts';

export const rpkiModule: Module = {
  name: 'rpki',
  tables: [
    'roa',
    'rpkiCa',
    'rpkiCertificate',
    'rpkiDue',
    'rpkiKey',
    'rpkiManifest',
    'rpkiObject',
    'rpkiOneTimeKey',
    'rrdpDelta',
    'rrdpSession',
  ],
  routes: ({ config }) => [rpkiRoutes(config)],
  pages: repositoryPages,
  servers: [publisherServer],
  notReady: ({ db, clock }) => expiringManifests(db.read, clock()),
  metrics: ({ db, clock }) => repositoryMetrics(db.read, clock()),
  words: rpkiWords,
};
