import type { Module } from '../../platform/module.ts';
import { documentsWords } from './activity-words.ts';

import { certificatePages } from './certificate-page.ts';
import { documentFiles } from './kept-files.ts';
import { fileStorage } from './file-store.ts';
import { documentRoutes } from './routes.ts';
import { scanFile } from './scanning.ts';
import { sweepFiles } from './sweeping.ts';
import { documentsAttention } from './attention.ts';
import { findDocuments } from './document-finder.ts';

export const documentsModule: Module = {
  name: 'documents',
  tables: ['document', 'documentOpening', 'membershipCertificate', 'storedFile'],
  routes: context => {
    const { config, profile, clock, modules } = context;
    return documentRoutes({
      source: {
        secrets: config,
        store: context.outside(fileStorage),
        registryName: profile.registryName,
        product: profile.product,
        appUrl: config.appUrl,
        fonts: config.certificateFonts,
        clock,
        others: modules.flatMap(({ addressedFiles }) => addressedFiles?.(context) ?? []),
      },
      scanned: config.virusScannerUrl !== '',
    });
  },
  pages: (http, { db, profile, clock, asset, modules }) =>
    certificatePages(http, {
      read: db.read,
      others: modules.flatMap(({ findsCertificate }) => findsCertificate ?? []),
      product: `My${profile.product}`,
      registryName: profile.registryName,
      styleSheet: asset('apps/server/web/public-page.css'),
      timeZone: profile.timeZone,
      clock,
    }),
  tasks: [scanFile],
  keptFiles: [documentFiles],
  schedule: [
    {
      name: 'documents.sweepFiles',
      every: 60,
      run: ({ db, clock, log, modules, outside }) =>
        sweepFiles(db, { store: outside(fileStorage), kinds: modules.flatMap(module => module.keptFiles ?? []), now: clock(), log }),
    },
  ],
  attention: documentsAttention,
  find: findDocuments,
  words: documentsWords,
  demo: () => import('./demo.ts'),
};
