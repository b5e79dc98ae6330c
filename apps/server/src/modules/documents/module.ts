import type { Module } from '../../platform/module.ts';

import { certificatePages } from './certificate-page.ts';
import { documentFiles } from './kept-files.ts';
import { openFileStore } from './file-store.ts';
import { documentRoutes } from './routes.ts';
import { scanFile } from './scanning.ts';

export const documentsModule: Module = {
  name: 'documents',
  tables: ['document', 'documentOpening', 'membershipCertificate', 'storedFile'],
  routes: context => {
    const { config, profile, clock, modules } = context;
    return documentRoutes({
      source: {
        secrets: config,
        store: openFileStore(config.filesDir),
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
  pages: (http, { db, profile, clock, asset }) =>
    certificatePages(http, {
      read: db.read,
      product: `My${profile.product}`,
      registryName: profile.registryName,
      styleSheet: asset('apps/server/web/sign-in.css'),
      timeZone: profile.timeZone,
      clock,
    }),
  tasks: [scanFile],
  keptFiles: [documentFiles],
};
